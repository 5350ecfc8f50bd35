/** The castle told and drawn. What is binding are the rulings, which the daemon tells. */
import { html, nothing, svg } from './lib/lit-html.js'
import { arrow, box, bow, figure, mark, ref, say, square, text } from './rules-draw.js'

const S = 48
const COLUMNS = 'abcdefg'
/** Rooms of plate A, row 7 first. */
const PLATE = ['*AAABB*', 'CDEEFFG', 'CDHHFFG', 'IDHHJKG', 'ILLLJKM', 'INNOPPM', '*QQORR*']
const room = (x, y) => PLATE[6 - y]?.[x] ?? '*'
const CHEESES = ['emmental', 'gouda', 'edam', 'roquefort', 'camembert', 'cheddar', 'brie']
const cheeseName = (id) => id === 'roquefort' ? 'Roquefort' : { emmental: say('Emmental', 'Ementál'), gouda: 'Gouda', edam: say('Edam', 'Eidam'), camembert: say('Camembert', 'Hermelín'), cheddar: say('Cheddar', 'Čedar'), brie: 'Brie' }[id]

const mouse = (x, y, seat = 'yellow') => svg`<g class="mouse ${seat}"><circle cx=${x - 8} cy=${y - 9} r="6"></circle><circle cx=${x + 8} cy=${y - 9} r="6"></circle><ellipse cx=${x} cy=${y + 3} rx="12" ry="13"></ellipse></g>
  <g class="pit"><circle cx=${x - 4} cy=${y} r="1.8"></circle><circle cx=${x + 4} cy=${y} r="1.8"></circle><circle cx=${x} cy=${y + 9} r="2.4"></circle></g>`

/** A smaller mouse in the corner of a tile, so that its face is seen; x, y is the tile's corner. */
const rider = (x, y, seat) => svg`<g transform="translate(${x + 34} ${y + 33}) scale(.72)">${mouse(0, 0, seat)}</g>`

/** A wheel of cheese with a slice cut out. */
const cheese = (x, y, id, r = 14) => svg`<path class="cheese c-${id}" d="M${x} ${y}L${x + r} ${y}A${r} ${r} 0 1 1 ${x} ${y - r}Z"></path>
  ${id === 'emmental' ? svg`<g class="pit"><circle cx=${x - 6} cy=${y + 3} r="2.4"></circle><circle cx=${x + 4} cy=${y + 7} r="2"></circle><circle cx=${x - 4} cy=${y - 6} r="1.7"></circle></g>`
    : id === 'roquefort' ? svg`<path class="plank" d="M${x - 9} ${y - 2}l5 3m2 6l5 -2m-8 -11l4 2"></path>` : nothing}`

/** A floor tile with its face: a cheese, "trapdoor" or "blank". */
const tile = (x, y, face, size = S) => svg`${box(x + 3, y + 3, size - 6, size - 6, 'tile', 5)}${
  face === 'trapdoor' ? svg`${box(x + 10, y + 10, size - 20, size - 20, 'hole', 2)}` : face === 'blank' ? nothing : cheese(x + size / 2, y + size / 2, face)}`

/** Walls between the rooms of the squares x0…x1, y0…y1; row y0 at the bottom. */
function walls(x0, x1, y0, y1, left, top) {
  let path = ''
  for (let x = x0; x <= x1; x++) for (let y = y0; y <= y1; y++) {
    const [px, py] = [left + (x - x0) * S, top + (y1 - y) * S]
    if (room(x, y) === '*') continue
    if (room(x - 1, y) !== room(x, y)) path += `M${px} ${py}v${S}`
    if (room(x + 1, y) !== room(x, y)) path += `M${px + S} ${py}v${S}`
    if (room(x, y + 1) !== room(x, y)) path += `M${px} ${py}h${S}`
    if (room(x, y - 1) !== room(x, y)) path += `M${px} ${py + S}h${S}`
  }
  return svg`<path class="wall" d=${path}></path>`
}

const cells = (of) => Array.from({ length: 49 }, (_, i) => of(i % 7, Math.floor(i / 7), 28 + (i % 7) * S, 4 + (6 - Math.floor(i / 7)) * S))
const labels = () => Array.from({ length: 7 }, (_, i) => svg`${text(28 + (i + 0.5) * S, 356, COLUMNS[i], 'soft')}${text(12, 4 + (6.5 - i) * S, i + 1, 'soft')}`)

const castle = () => figure(378, 372, say('The castle from above: seven by seven squares, towers at the corners, rooms under roofs', 'Hrad shora: sedm krát sedm polí, v rozích věže, místnosti pod střechami'), svg`
  ${cells((x, y, px, py) => room(x, y) === '*' ? svg`${square(px, py, S)}<circle cx=${px + S / 2} cy=${py + S / 2} r="18" class="sq tower"></circle>` : square(px, py, S, 'roof'))}
  ${walls(0, 6, 0, 6, 28, 4)}${labels()}${mouse(28 + S / 2, 4 + 6.5 * S)}${mouse(28 + 6.5 * S, 4 + S / 2, 'red')}`,
  say('All roofs are on (plate A). Mice wait on the round towers in the corners.', 'Všechny střechy jsou nasazené (rozložení A). Myši čekají na kulatých věžích v rozích.'), 'small')

const floor = () => figure(378, 400, say('The floor: solid squares where nothing moves, and lines of seven tiles with twelve slots', 'Podlaha: pevná pole, kde se nic neposouvá, a řady po sedmi dílcích s dvanácti otvory'), svg`
  <g transform="translate(0 14)">${cells((x, y, px, py) => room(x, y) === '*' ? svg`<circle cx=${px + S / 2} cy=${py + S / 2} r="18" class="sq tower"></circle>` : x % 2 || y % 2 ? svg`${square(px, py, S, 'open')}${tile(px, py, 'blank')}` : square(px, py, S, 'solid'))}
  ${[1, 3, 5].map((i) => svg`${arrow(28 + (i + 0.5) * S, -15, 28 + (i + 0.5) * S, 2)}${arrow(28 + (i + 0.5) * S, 361, 28 + (i + 0.5) * S, 343)}${arrow(8, 4 + (i + 0.5) * S, 26, 4 + (i + 0.5) * S)}${arrow(382, 4 + (i + 0.5) * S, 366, 4 + (i + 0.5) * S)}`)}</g>
  ${[1, 3, 5].map((i) => text(28 + (i + 0.5) * S, 388, COLUMNS[i], 'soft'))}`,
  say('Without roofs: 33 tiles, twelve solid squares (dark), and the twelve slots at columns b, d, f and rows 2, 4, 6.', 'Bez střech: 33 dílků, dvanáct pevných polí (tmavá) a dvanáct otvorů u sloupců b, d, f a řad 2, 4, 6.'), 'small')

const tiles = () => figure(390, 262, say('Three tiles of each of the seven cheeses, ten blank ones and three trapdoors', 'Po třech dílcích od sedmi sýrů, deset prázdných a troje padací dveře'), svg`
  ${[...CHEESES, 'blank', 'trapdoor'].map((face, i) => { const [x, y] = [65 + (i % 3) * 130, 2 + Math.floor(i / 3) * 88]
    const words = face === 'blank' ? `10 × ${say('blank', 'prázdný')}` : `3 × ${face === 'trapdoor' ? say('trapdoor', 'padací dveře') : cheeseName(face)}`
    return svg`${tile(x - 26, y, face, 52)}${text(x, y + 66, words)}` })}`,
  say('The 34 tiles. One of them lies beside the castle: the spare.', '34 dílků. Jeden leží vedle hradu: dílek navíc.'), 'small')

const uncover = () => figure(224, 238, say('From the tower a1 a mouse may uncover three rooms', 'Z věže a1 lze odkrýt tři místnosti'), svg`
  ${[0, 1, 2, 3].map((y) => [0, 1, 2, 3].map((x) => { const [px, py] = [24 + x * S, 4 + (3 - y) * S], one = room(x, y)
    return one === '*' ? svg`${square(px, py, S)}<circle cx=${px + S / 2} cy=${py + S / 2} r="18" class="sq tower"></circle>` : square(px, py, S, 'INQ'.includes(one) ? 'goal' : 'roof') }))}
  ${walls(0, 3, 0, 3, 24, 4)}${mouse(24 + S / 2, 4 + 3.5 * S)}
  ${[0, 1, 2, 3].map((i) => svg`${text(24 + (i + 0.5) * S, 212, COLUMNS[i], 'soft')}${text(11, 4 + (3.5 - i) * S, i + 1, 'soft')}`)}`,
  say('From a1 the green rooms can be uncovered: a2–a4, b1–c1, and b2–c2 at the corner.', 'Z věže a1 lze odkrýt zelené místnosti: a2–a4, b1–c1 a rohem i b2–c2.'), 'small')

const step = () => figure(224, 188, say('Steps go straight onto open free squares', 'Kroky vedou rovně na odkrytá volná pole'), svg`
  ${[0, 1, 2].map((y) => [0, 1, 2].map((x) => square(40 + x * S, 22 + y * S, S, x === 2 ? 'roof' : 'open')))}
  ${tile(40, 22, 'blank')}${tile(40 + S, 22, 'gouda')}${tile(40, 22 + S, 'brie')}${tile(40 + S, 22 + S, 'blank')}${tile(40, 22 + 2 * S, 'blank')}${tile(40 + S, 22 + 2 * S, 'trapdoor')}
  <path class="wall" d="M40 22h96v144h-96zM136 22h48v144h-48"></path>
  ${mouse(40 + 1.5 * S, 22 + 1.5 * S)}
  ${arrow(40 + 1.5 * S, 22 + 1.1 * S, 40 + 1.5 * S, 22 + 0.6 * S)}${arrow(40 + 1.15 * S, 22 + 1.5 * S, 40 + 0.6 * S, 22 + 1.5 * S)}
  ${mark(40 + 2.5 * S, 22 + 1.5 * S, false)}${mark(40 + 1.5 * S, 22 + 2.5 * S, false)}${mark(40 + 0.5 * S, 22 + 0.5 * S, false)}`,
  say('Straight onto free open squares. Not diagonally, not under a roof, not onto a trapdoor.', 'Rovně na volná odkrytá pole. Ne šikmo, ne pod střechu, ne na padací dveře.'), 'small')

const jump = (over, alt, caption) => figure(60 + (over + 2) * S, 116, alt, svg`
  ${Array.from({ length: over + 2 }, (_, i) => svg`${square(30 + i * S, 50, S, 'open')}${tile(30 + i * S, 50, 'blank')}`)}
  ${mouse(30 + S / 2, 74)}${Array.from({ length: over }, (_, i) => mouse(30 + (i + 1.5) * S, 74, i ? 'yellow' : 'red'))}
  ${bow(30 + S / 2, 30 + (over + 1.5) * S, 48, 20)}`, caption, 'small')

const shift = () => figure(9 * S + 16, 222, say('The spare is pushed into row 2 from the west: all tiles move one square east, the last falls out, the mice stay', 'Dílek navíc se zasune od západu do řady 2: všechny dílky se posunou o pole na východ, poslední vypadne, myši zůstanou'), svg`
  ${[['gouda', ['blank', 'edam', 'trapdoor', 'blank', 'brie', 'blank', 'cheddar'], null, 0], [null, ['gouda', 'blank', 'edam', 'trapdoor', 'blank', 'brie', 'blank'], 'cheddar', 92]].map(([spare, row, out, y]) => svg`
    ${row.map((face, i) => svg`${square(8 + (i + 1) * S, y + 20, S, 'open')}${tile(8 + (i + 1) * S, y + 20, face)}`)}
    ${spare ? svg`${tile(0, y + 20, spare)}${arrow(S / 2 - 14, y + 9, S + 14, y + 9)}` : nothing}${out ? tile(16 + 8 * S, y + 20, out) : nothing}
    ${rider(8 + 2 * S, y + 20)}${spare ? rider(8 + 4 * S, y + 20, 'red') : nothing}`)}
  ${arrow(8 + 4.5 * S, 164, 8 + 4.5 * S, 182, 'fall', 7)}${mouse(8 + 4.5 * S, 204, 'red')}${text(8 + 4.5 * S + 24, 206, say('falls', 'padá'), 'start bold')}`,
  say('W2: the spare (Gouda) is pushed in, the cheddar falls out. The mice stay on their squares; a trapdoor comes under the red one, and it falls.',
    'W2: zasune se dílek navíc (gouda), čedar vypadne. Myši zůstávají na svých polích; pod červenou se dostanou padací dveře a ta spadne.'))

const take = () => figure(300, 74, say('Two yellow mice on two Gouda tiles take a chip of Gouda', 'Dvě žluté myši na dvou dílcích s goudou dostanou kousek goudy'), svg`
  ${[10, 76].map((x) => svg`${square(x, 12, S, 'open')}${tile(x, 12, 'gouda')}${rider(x, 12)}`)}
  ${arrow(140, 36, 184, 36)}<circle cx="216" cy="36" r="23" class="chain"></circle>${cheese(216, 36, 'gouda', 15)}${text(270, 36, '+ 1', 'big')}`,
  say('Two mice of one player on the same cheese: he takes a chip of it.', 'Dvě myši jednoho hráče na stejném sýru: dostane jeho kousek.'), 'small')

/** @type {import('./rules.js').Rules} */
export const roquefort = {
  id: 'roquefort',
  title: { en: 'Chateau Roquefort', cs: 'Burg Appenzell' },
  lead: {
    en: 'Mice slip into a castle, lift its roofs and look for cheese. The floor under their feet moves, and there are holes in it.',
    cs: 'Myši se vkrádají do hradu, zvedají střechy a hledají sýr. Podlaha pod nimi se posouvá a jsou v ní díry.',
  },
  sections: [
    {
      id: 'what', title: { en: 'The game and what you need', cs: 'O co jde a co je potřeba' },
      en: () => html`<p>For two to four players with four mice each. Whoever first has four different cheeses wins ${ref('CR-12')}; five or six can be agreed on. You get a cheese when two of your mice stand on it.</p>${castle()}
        <p>The castle has 45 squares and four towers. Its rooms of two to four squares are covered by roofs. Below lies a floor, part of which can be shifted.</p>${floor()}${tiles()}
        <p>There are four chips of each cheese besides.</p>`,
      cs: () => html`<p>Pro dva až čtyři hráče, každý má čtyři myši. Kdo má první čtyři různé sýry, vyhrává ${ref('CR-12')}; lze se dohodnout i na pěti nebo šesti. Sýr získáte, když na něm stojí dvě vaše myši.</p>${castle()}
        <p>Hrad má 45 polí a čtyři věže. Místnosti o dvou až čtyřech polích jsou zakryté střechami. Pod nimi je podlaha, jejíž část se dá posouvat.</p>${floor()}${tiles()}
        <p>Od každého sýra jsou k tomu čtyři kousky jako žetony.</p>`,
    },
    {
      id: 'setup', title: { en: 'Set-up', cs: 'Příprava' },
      en: () => html`<p>The tiles are shuffled and laid face up where nobody sees them. Two equal cheeses or two trapdoors must not touch, not even at a corner; otherwise they are shuffled again. The first blank tile is the spare. Then all roofs are on, and a lot says who begins ${ref('CR-1')}.</p>
        <p>Before the first turn each player in turn puts one mouse on a free tower ${ref('CR-2')}. The other three are his reserve.</p>`,
      cs: () => html`<p>Dílky se zamíchají a položí lícem nahoru tak, aby je nikdo neviděl. Dva stejné sýry ani dvoje padací dveře se nesmějí dotýkat, ani rohem; jinak se míchá znovu. První prázdný dílek je navíc. Pak jsou všechny střechy nasazené a los určí, kdo začne ${ref('CR-1')}.</p>
        <p>Než začnou tahy, postaví každý po řadě jednu myš na volnou věž ${ref('CR-2')}. Ostatní tři má v zásobě.</p>`,
    },
    {
      id: 'turn', title: { en: 'A turn', cs: 'Tah' },
      en: () => html`<p>A turn has up to four actions in any order. You may end it early ${ref('CR-3', 'CR-14')}. If your last action lifts a roof, the turn waits until you have looked and end it.</p>
        <table><thead><tr><th scope="col">action</th><th scope="col" class="n">costs</th><th scope="col">ruling</th></tr></thead><tbody>
        <tr><td>uncover a room</td><td class="n">1</td><td>${ref('CR-4')}</td></tr><tr><td>step</td><td class="n">1</td><td>${ref('CR-5')}</td></tr><tr><td>jump over a mouse</td><td class="n">2</td><td>${ref('CR-6')}</td></tr>
        <tr><td>put a mouse on a tower</td><td class="n">1</td><td>${ref('CR-7')}</td></tr><tr><td>shift the floor, once a turn</td><td class="n">1</td><td>${ref('CR-8')}</td></tr></tbody></table>
        <h3>Uncover and step</h3><p>You may take the roof off a room that touches one of your mice, on a square or a tower; a corner is enough ${ref('CR-4')}. A step goes one square straight onto a free square of an open room ${ref('CR-5')}. No mouse ever goes back onto a tower by a step; from there it only goes in.</p>
        <div class="pair">${uncover()}${step()}</div>
        <h3>Jump</h3><p>Straight over one mouse, your own or another's, onto the square behind it where a step could end ${ref('CR-6')}.</p>
        ${jump(1, 'A yellow mouse jumps over a red one', 'A jump takes two actions.')}
        <h3>A new mouse</h3><p>A mouse of your reserve goes onto a free tower ${ref('CR-7')}.</p>
        <h3>The end of a turn</h3><p>Every room in which no mouse stands gets its roof back ${ref('CR-11')}. Remember what you saw.</p>`,
      cs: () => html`<p>Tah má nejvýš čtyři akce v libovolném pořadí. Smíte ho ukončit dřív ${ref('CR-3', 'CR-14')}. Pokud poslední akcí zvednete střechu, tah počká, než se podíváte a ukončíte ho.</p>
        <table><thead><tr><th scope="col">akce</th><th scope="col" class="n">stojí</th><th scope="col">ustanovení</th></tr></thead><tbody>
        <tr><td>odkrýt místnost</td><td class="n">1</td><td>${ref('CR-4')}</td></tr><tr><td>krok</td><td class="n">1</td><td>${ref('CR-5')}</td></tr><tr><td>skok přes myš</td><td class="n">2</td><td>${ref('CR-6')}</td></tr>
        <tr><td>nasadit myš na věž</td><td class="n">1</td><td>${ref('CR-7')}</td></tr><tr><td>posunout podlahu, jednou za tah</td><td class="n">1</td><td>${ref('CR-8')}</td></tr></tbody></table>
        <h3>Odkrytí a krok</h3><p>Smíte sejmout střechu místnosti, které se dotýká některá vaše myš, ať stojí na poli nebo na věži; stačí i roh ${ref('CR-4')}. Krok vede o jedno pole rovně na volné pole odkryté místnosti ${ref('CR-5')}. Zpátky na věž žádný krok nevede; z věže se jen sestupuje.</p>
        <div class="pair">${uncover()}${step()}</div>
        <h3>Skok</h3><p>Rovně přes jednu myš, vlastní nebo cizí, na pole za ní, kde by směl skončit krok ${ref('CR-6')}.</p>
        ${jump(1, 'Žlutá myš skáče přes červenou', 'Skok stojí dvě akce.')}
        <h3>Nová myš</h3><p>Myš ze zásoby se postaví na volnou věž ${ref('CR-7')}.</p>
        <h3>Konec tahu</h3><p>Každá místnost, ve které nestojí žádná myš, se zase zakryje ${ref('CR-11')}. Pamatujte si, co jste viděli.</p>`,
    },
    {
      id: 'shift', title: { en: 'The floor moves', cs: 'Podlaha se posouvá' },
      en: () => html`<p>Once a turn you may push the spare in at one of the twelve slots. The seven tiles of that line move one square on, and what falls out on the other side is the new spare. Mice and roofs stay where they are ${ref('CR-8')}. Pushing back what came last is allowed. A slot is named by its side and line: W2 pushes eastwards into row 2.</p>${shift()}
        <p>A mouse under which a trapdoor comes falls into the cellar and is out for good, whoever owns it ${ref('CR-9')}.</p>`,
      cs: () => html`<p>Jednou za tah smíte zasunout dílek navíc do jednoho z dvanácti otvorů. Sedm dílků té řady se posune o pole dál a ten, který na druhé straně vypadne, je nový dílek navíc. Myši a střechy zůstávají na místě ${ref('CR-8')}. Vrátit hned to, co bylo posunuto naposled, je dovoleno. Otvor se jmenuje podle strany a řady: W2 tlačí od západu do řady 2.</p>${shift()}
        <p>Myš, pod kterou se dostanou padací dveře, spadne do sklepa a ze hry je venku, ať patří komukoli ${ref('CR-9')}.</p>`,
    },
    {
      id: 'cheese', title: { en: 'Cheese', cs: 'Sýr' },
      en: () => html`<p>As soon as two of your mice stand on two tiles with the same cheese, you take a chip of it, unless you have one already. It costs no action and happens by itself, even on another's turn ${ref('CR-10')}.</p>${take()}`,
      cs: () => html`<p>Jakmile dvě vaše myši stojí na dvou dílcích se stejným sýrem, dostanete jeho kousek, pokud ho ještě nemáte. Nestojí to žádnou akci a stane se to samo, i na tahu někoho jiného ${ref('CR-10')}.</p>${take()}`,
    },
    {
      id: 'end', title: { en: 'The end', cs: 'Konec hry' },
      en: () => html`<ul><li>Whoever first has the set number of different cheeses wins at once. If one shift gives it to several, the player on turn wins if he is one of them, else the next in turn order ${ref('CR-12')}.</li>
        <li>Whoever has three mice in the cellar is out; his last mouse leaves the castle. The last player left wins. If one shift puts out all who were left, the one of them with the most cheeses wins; with equal numbers the game is drawn ${ref('CR-13')}.</li></ul>`,
      cs: () => html`<ul><li>Kdo má první stanovený počet různých sýrů, hned vyhrává. Získá-li ho jedním posunem víc hráčů, vyhrává hráč na tahu, je-li mezi nimi, jinak další v pořadí ${ref('CR-12')}.</li>
        <li>Kdo má tři myši ve sklepě, vypadává ze hry a poslední myš si z hradu vezme. Poslední zbylý hráč vyhrává. Vypadnou-li jedním posunem všichni, kdo zbývali, vyhrává z nich ten s nejvíce sýry; při rovnosti je remíza ${ref('CR-13')}.</li></ul>`,
    },
    {
      id: 'hidden', title: { en: 'What is hidden', cs: 'Co je skryté' },
      en: () => html`<p>Nobody sees the tiles under roofs. What lies open, and the spare, all see. When a roof goes back, the page forgets with you; with the option <code>memory</code> set to <code>open</code> it goes on showing what has been seen once. Where each tile travels is always known, for all see the shifts.</p>
        <h3>At a real table</h3><p>If you have the box, you lay the tiles yourselves and the referee sees none. Whoever moves tells what comes to light: the faces of an uncovered room, the tile that falls out. The referee follows each tile that it was told and refuses what contradicts itself ${ref('CR-1')}.</p>`,
      cs: () => html`<p>Dílky pod střechami nevidí nikdo. Odkryté dílky a dílek navíc vidí všichni. Když se střecha vrátí, stránka zapomene s vámi; s volbou <code>memory</code> nastavenou na <code>open</code> ukazuje dál, co už bylo jednou vidět. Kam který dílek putuje, se ví vždy, protože posuny vidí všichni.</p>
        <h3>U opravdového stolu</h3><p>Máte-li krabici, položíte dílky sami a rozhodčí žádný nevidí. Kdo táhne, řekne, co vyšlo najevo: co je v odkryté místnosti, který dílek vypadl. Rozhodčí sleduje každý dílek, o kterém se dozvěděl, a odmítne, co si odporuje ${ref('CR-1')}.</p>`,
    },
    {
      id: 'editions', title: { en: 'Editions', cs: 'Vydání' },
      en: () => html`<p>All of the above is <b>Chateau Roquefort</b>. In <b>Burg Appenzell</b> the third fallen mouse of a player ends the game at once, and whoever of the others has the most cheeses wins ${ref('CB-1')}. And a jump may pass over several mice in line, for one action more each ${ref('CB-2')}.</p>
        ${jump(2, 'A mouse jumps over two mice in line', 'Over two mice it takes three actions, over three it takes four.')}
        <p>How the rooms are printed on the original boxes is not on record. The plates A and B are reconstructions; if you own the box, its rooms can be given in the option <code>rooms</code>.</p>`,
      cs: () => html`<p>Vše výše je <b>Chateau Roquefort</b>. Ve vydání <b>Burg Appenzell</b> třetí spadlá myš jednoho hráče hned končí hru a z ostatních vyhrává ten, kdo má nejvíc sýrů ${ref('CB-1')}. A skočit lze i přes několik myší v řadě, za každou další o akci navíc ${ref('CB-2')}.</p>
        ${jump(2, 'Myš skáče přes dvě myši v řadě', 'Přes dvě myši stojí skok tři akce, přes tři čtyři.')}
        <p>Jak jsou místnosti vytištěné v původních krabicích, není doloženo. Rozložení A a B jsou rekonstrukce; kdo krabici má, může zadat její místnosti volbou <code>rooms</code>.</p>`,
    },
  ],
}
