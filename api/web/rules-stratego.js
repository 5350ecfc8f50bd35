/** Stratego told and drawn. What is binding are the rulings, which the daemon tells. */
import { html, svg } from './lib/lit-html.js'
import { arrow, box, figure, mark, ref, say, square, text } from './rules-draw.js'

const S = 52

/** Ranks of all editions, by name; a number alone would mislead. */
const NAMES = {
  marshal: ['marshal', 'maršál'], general: ['general', 'generál'], colonel: ['colonel', 'plukovník'], major: ['major', 'major'], captain: ['captain', 'kapitán'],
  cadet: ['cadet', 'kadet'], corporal: ['corporal', 'kaprál'], gunner: ['gunner', 'střelec'], lieutenant: ['lieutenant', 'poručík'], sergeant: ['sergeant', 'seržant'],
  scout: ['scout', 'průzkumník'], miner: ['miner', 'minér'], spy: ['spy', 'špión'], mine: ['mine', 'minové pole'], bomb: ['bomb', 'bomba'], flag: ['flag', 'prapor'],
}
const name = (rank) => say(...NAMES[rank])
const SHORT = { scout: ['Sc', 'Pr'], marshal: ['Ma', 'Ma'], miner: ['Mi', 'Mi'], spy: ['Sp', 'Šp'], captain: ['Ca', 'Ka'], mine: ['✹', '✹'], bomb: ['✹', '✹'], flag: ['⚑', '⚑'] }

/** A piece in the square at x, y. rank null: it is not known. */
const piece = (x, y, side, rank, size = S) => svg`${box(x + 7, y + 5, size - 14, size - 10, `piece ${side}`, 7)}${text(x + size / 2, y + size / 2 + 1, rank ? say(...SHORT[rank]) : '?', 'white')}`

const grid = (columns, rows, x = 2, y = 2) => Array.from({ length: columns * rows }, (_, i) => square(x + (i % columns) * S, y + Math.floor(i / columns) * S, S))
const at = (column, row) => [2 + column * S, 2 + row * S]
const put = (column, row, side, rank) => piece(...at(column, row), side, rank)
const mid = (column, row) => [2 + (column + 0.5) * S, 2 + (row + 0.5) * S]

const board = (lakes, caption) => figure(264, 268, caption, svg`
  ${Array.from({ length: 100 }, (_, i) => { const [x, y] = [i % 10, Math.floor(i / 10)]
    return square(22 + x * 24, 2 + y * 24, 24, lakes && (y === 4 || y === 5) && [2, 3, 6, 7].includes(x) ? 'lake' : y < 4 ? 'their' : y > 5 ? 'own' : '') })}
  ${Array.from({ length: 10 }, (_, i) => svg`${text(34 + i * 24, 255, 'abcdefghij'[i], 'soft tiny')}${text(10, 14 + (9 - i) * 24, i + 1, 'soft tiny')}`)}`, caption, 'small')

const around = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]]
const step = (diagonal) => figure(160, 160, diagonal ? say('A step in any of eight directions', 'Krok kterýmkoli z osmi směrů') : say('A step in four directions', 'Krok čtyřmi směry'), svg`${grid(3, 3)}
  ${around.filter(([x, y]) => diagonal || !x || !y).map(([x, y]) => { const [cx, cy] = mid(1, 1); return arrow(cx + x * 24, cy + y * 24, cx + x * 50, cy + y * 50, 'yes', 7) })}${put(1, 1, 'red', 'captain')}`,
  diagonal ? say('A step goes to one of eight squares.', 'Krok vede na jedno z osmi polí.') : say('A step goes straight, to one of four squares.', 'Krok vede rovně, na jedno ze čtyř polí.'), 'small')

const straight = () => figure(160, 160, say('An attack is straight; the diagonal neighbour cannot be attacked', 'Útočí se rovně; na šikmého souseda zaútočit nelze'), svg`${grid(3, 3)}
  ${put(1, 0, 'blue', null)}${put(2, 0, 'blue', null)}${put(1, 1, 'red', 'captain')}${arrow(mid(1, 1)[0], mid(1, 1)[1] - 20, mid(1, 0)[0], mid(1, 0)[1] + 19, 'yes', 7)}
  ${arrow(mid(1, 1)[0] + 18, mid(1, 1)[1] - 18, mid(2, 0)[0] - 12, mid(2, 0)[1] + 14, 'no', 7)}`,
  say('An attack is straight. The enemy at the corner is safe.', 'Útočí se rovně. Nepřítel za rohem je v bezpečí.'), 'small')

const run = () => figure(7 * S + 4, 2 * S + 6, say('A scout runs straight over empty squares and attacks at the end', 'Průzkumník běží rovně přes prázdná pole a na konci útočí'), svg`${grid(7, 2)}
  ${put(0, 0, 'red', 'scout')}${put(5, 0, 'blue', null)}${arrow(mid(0, 0)[0] + 24, mid(0, 0)[1], mid(5, 0)[0] - 22, mid(0, 0)[1])}
  ${put(0, 1, 'red', 'scout')}${put(3, 1, 'red', 'captain')}${arrow(mid(0, 1)[0] + 24, mid(0, 1)[1], mid(2, 1)[0] + 14, mid(0, 1)[1])}${mark(mid(4, 1)[0], mid(4, 1)[1], false)}`,
  say('The scout runs as far as it likes and may attack the first enemy it meets. It jumps over nobody.', 'Průzkumník běží, jak daleko chce, a smí zaútočit na prvního nepřítele, na kterého narazí. Nikoho nepřeskočí.'))

const LADDER = { house: ['marshal', 'general', 'captain', 'cadet', 'corporal', 'gunner', 'scout', 'miner', 'spy'], classic: ['marshal', 'general', 'colonel', 'major', 'captain', 'lieutenant', 'sergeant', 'miner', 'scout', 'spy'] }
function ladder(of, spyText, mineText, mine) {
  const ranks = LADDER[of], last = ranks.length - 1, bottom = ranks.length * 30
  return figure(420, bottom + 62, say('Ranks from the strongest to the weakest, and the exceptions', 'Hodnosti od nejsilnější po nejslabší a výjimky'), svg`
    ${ranks.map((rank, i) => svg`${box(100, 4 + i * 30, 150, 26, 'chain', 6)}${text(175, 17 + i * 30, name(rank))}`)}
    ${arrow(78, 12, 78, bottom - 12, 'plain')}${text(40, bottom / 2, say('captures', 'bere'), 'soft')}
    <path class="arrow yes" d="M252 ${last * 30 + 17}h38V17h-28"></path><path class="arrow yes" d="M271 11l-10 6l10 6"></path>${spyText.map((line, i) => text(300, bottom / 2 - 9 + i * 18, line, 'start'))}
    ${box(100, bottom + 16, 150, 32, 'chain', 6)}${text(175, bottom + 32, name(mine))}${text(262, bottom + 32, mineText, 'start')}`,
  say('Each rank captures all below it. Two equal pieces both leave.', 'Každá hodnost bere všechny pod sebou. Dvě stejné figury odcházejí obě.'), 'small')
}

const twoSquare = () => figure(4 * 104 + 8, 152, say('A piece goes to and fro over one border; the fourth crossing is refused', 'Figura přechází sem a tam přes tutéž hranici; čtvrtý přechod se odmítne'), svg`
  ${[0, 1, 2, 3].map((i) => svg`<g transform="translate(${i * 106} 0)">${square(2, 2, 46)}${square(48, 2, 46)}<path class="border" d="M48 3v44"></path>
    ${i < 3 ? piece(i % 2 ? 2 : 48, -1, 'red', 'captain', 46 + 6) : piece(48, -1, 'red', 'captain', 52)}
    ${i % 2 ? arrow(74, 64, 24, 64, i < 3 ? 'yes' : 'no') : arrow(24, 64, 74, 64)}${text(48, 92, `${i + 1}.`, 'bold')}${mark(48, 122, i < 3)}</g>`)}`,
  say('Three of its side\'s moves in a row may cross the same border (two_square 3). The fourth must be something else.', 'Třemi tahy své strany po sobě smí figura přejít tutéž hranici (two_square 3). Čtvrtý tah musí být jiný.'))

const chase = () => figure(4 * S + 4, 3 * S + 4, say('Red chases blue round and round', 'Červený honí modrého stále dokola'), svg`${grid(4, 3)}
  ${put(0, 2, 'red', 'captain')}${put(1, 2, 'blue', null)}
  <path class="arrow plain" d="M${mid(1, 2)[0] + 24} ${mid(2, 2)[1]}H${mid(3, 2)[0]}V${mid(3, 0)[1]}H${mid(0, 0)[0]}V${mid(0, 1)[1] + 18}"></path><path class="arrow plain" d="M${mid(0, 1)[0] - 6} ${mid(0, 1)[1] + 10}l6 9l6 -9"></path>`,
  say('A chase may go on, but not into a position that it has already made.', 'Honit se smí dál, ale ne do postavení, které při honičce už bylo.'), 'small')

const seen = () => figure(440, 122, say('After combat the attacker knows the rank of the attacked piece; the attacked player does not know the attacker', 'Po boji zná útočník hodnost napadené figury; napadený útočníka nezná'), svg`
  ${[[say('the attacker sees', 'útočník vidí'), 'captain', 'miner', 0], [say('the attacked one sees', 'napadený vidí'), null, 'miner', 232]].map(([title, mine, theirs, x]) => svg`<g transform="translate(${x} 0)">${text(104, 12, title, 'soft')}${square(24, 30, 56)}${square(128, 30, 56)}
    ${piece(26, 32, 'red', mine)}${piece(130, 32, 'blue', theirs)}${arrow(84, 58, 124, 58)}</g>`)}
  ${text(104, 110, say('whom he attacked', 'koho napadl'), 'bold')}${text(336, 110, say('only how it ended', 'jen jak to skončilo'), 'bold')}`,
  say('Red attacks with a captain. Blue sees its own miner leave the game and never learns by whom.', 'Červený útočí kapitánem. Modrý vidí, že ztratil minéra, ale nedozví se, s kým.'))

const COUNTS = {
  house: [['marshal', 1], ['general', 1], ['captain', 2], ['cadet', 3], ['corporal', 4], ['gunner', 5], ['scout', 8], ['miner', 6], ['spy', 1], ['mine', 8], ['flag', 1]],
  classic: [['marshal', 1, 1, 1, 1], ['general', 1, 1, 1, 1], ['colonel', 2, 1, 0, 0], ['major', 3, 1, 0, 0], ['captain', 4, 2, 0, 0], ['lieutenant', 4, 2, 0, 0], ['sergeant', 4, 2, 0, 0],
    ['miner', 5, 2, 2, 1], ['scout', 8, 4, 2, 2], ['spy', 1, 1, 1, 1], ['bomb', 6, 2, 2, 1], ['flag', 1, 1, 1, 1]],
}
const counts = (of, caption, heads) => html`<table><caption>${caption}</caption><thead><tr><th scope="col">${say('piece', 'figura')}</th>${heads.map((head) => html`<th scope="col" class="n">${head}</th>`)}</tr></thead>
  <tbody>${COUNTS[of].map(([rank, ...numbers]) => html`<tr><th scope="row">${name(rank)}</th>${numbers.map((number) => html`<td class="n">${number || '–'}</td>`)}</tr>`)}</tbody></table>`

/** @type {import('./rules.js').Rules} */
export const stratego = {
  id: 'stratego',
  title: { en: 'Stratego', cs: 'Maršál a špión' },
  lead: {
    en: 'Two armies face each other, and each shows the other only its backs. Find the flag before yours is found.',
    cs: 'Dvě vojska stojí proti sobě a jedno druhému ukazuje jen záda. Najděte prapor dřív, než soupeř najde váš.',
  },
  sections: [
    {
      id: 'what', title: { en: 'The game and what you need', cs: 'O co jde a co je potřeba' },
      en: () => html`<p>For two. Whoever captures the enemy flag wins ${ref('ST-12', 'SC-5')}. Where the pieces stand both see; what a piece is, only its owner knows until there is combat.</p>
        <p>There are two games here. <b>Maršál a špión</b> is the Czech one, played on an open board with diagonal steps. <b>The classic game</b> has two lakes and nothing diagonal; it comes with a full set, tournament rules and three smaller sets.</p>
        <div class="pair">${board(false, 'Maršál a špión: no lakes. Red sets up below, blue above.')}${board(true, 'The classic game: two lakes that nobody enters or passes.')}</div>
        ${counts('house', 'Maršál a špión: 40 pieces a side, the strongest first', ['number'])}`,
      cs: () => html`<p>Pro dva. Kdo vezme nepřátelský prapor, vyhrává ${ref('ST-12', 'SC-5')}. Kde figury stojí, vidí oba; co která je, ví do boje jen její majitel.</p>
        <p>Hry jsou tu dvě. <b>Maršál a špión</b> je česká, hraje se na volné desce a chodí se v ní i šikmo. <b>Klasická hra</b> má dvě jezera a nic šikmého; má plnou sadu, turnajová pravidla a tři menší sady.</p>
        <div class="pair">${board(false, 'Maršál a špión: bez jezer. Červený rozestavuje dole, modrý nahoře.')}${board(true, 'Klasická hra: dvě jezera, na která nikdo nesmí a přes která neprojde.')}</div>
        ${counts('house', 'Maršál a špión: 40 figur na stranu, od nejsilnější', ['počet'])}`,
    },
    {
      id: 'setup', title: { en: 'Set-up', cs: 'Rozestavení' },
      en: () => html`<p>Each side puts all its pieces on its own four rows, one to a square, unseen by the other ${ref('ST-1', 'SC-1')}. A small set may stand on any of those 40 squares. Until both are ready nobody sees even which squares are taken. Then a lot says who begins ${ref('ST-2')}; in the classic game red begins ${ref('SC-3')}.</p>`,
      cs: () => html`<p>Každá strana postaví všechny své figury na své čtyři řady, na každé pole jednu, a soupeř je nevidí ${ref('ST-1', 'SC-1')}. Menší sada smí stát na kterýchkoli z těch 40 polí. Dokud nejsou hotoví oba, není vidět ani to, která pole jsou obsazená. Pak los určí, kdo začne ${ref('ST-2')}; v klasické hře začíná červený ${ref('SC-3')}.</p>`,
    },
    {
      id: 'turn', title: { en: 'A move', cs: 'Tah' },
      en: () => html`<p>The sides move in turn, one piece at a time. Mines, bombs and flags never move. Every other piece goes one square onto an empty one; nobody jumps ${ref('ST-3')}.</p>
        <div class="pair">${step(true)}${straight()}</div>
        <p>In Maršál a špión steps go in all eight directions, but an attack is only straight ${ref('ST-4')}. In the classic game both are straight ${ref('SC-2')}.</p>
        <h3>The scout</h3><p>It may run any number of empty squares along a row or a file, and attack at the end of the run ${ref('ST-5', 'SC-2')}. Diagonally it is like the others: one square in Maršál a špión, and no attack. Until the combat is settled it stands on the square before the attacked piece ${ref('ST-6')}.</p>${run()}`,
      cs: () => html`<p>Strany se střídají, každá táhne jednou figurou. Miny, bomby a prapory se nehýbou nikdy. Každá jiná figura jde o jedno pole na prázdné pole; nikdo nikoho nepřeskakuje ${ref('ST-3')}.</p>
        <div class="pair">${step(true)}${straight()}</div>
        <p>V Maršálu a špiónovi se chodí všemi osmi směry, ale útočí se jen rovně ${ref('ST-4')}. V klasické hře je obojí jen rovně ${ref('SC-2')}.</p>
        <h3>Průzkumník</h3><p>Smí proběhnout libovolný počet prázdných polí po řadě nebo po sloupci a na konci zaútočit ${ref('ST-5', 'SC-2')}. Šikmo je jako ostatní: v Maršálu a špiónovi o jedno pole a bez útoku. Než se boj rozhodne, stojí na poli před napadenou figurou ${ref('ST-6')}.</p>${run()}`,
    },
    {
      id: 'combat', title: { en: 'Who captures whom', cs: 'Kdo koho bere' },
      en: () => html`<p>The stronger piece captures the weaker one, two equals both leave. An attacker that wins moves onto the square, a defender that wins stays ${ref('ST-7', 'SC-4')}. Anybody captures the flag ${ref('ST-9')}.</p>
        <h3>Maršál a špión</h3><p>Here the scout is stronger than the miner. The spy captures the marshal, whichever of them attacks; anything else that moves captures the spy ${ref('ST-8')}. Only a miner removes a mine and moves onto it; any other attacker is lost, and the mine stays ${ref('ST-10')}.</p>
        ${ladder('house', ['spy and', 'marshal:', 'the spy wins'], 'only a miner removes it', 'mine')}
        <h3>The classic game</h3><p>The miner is stronger than the scout. The spy wins only if it attacks the marshal itself; attacked, it loses to everybody but another spy. Only a miner removes a bomb ${ref('SC-4')}.</p>
        ${ladder('classic', ['only if the', 'spy attacks'], 'only a miner removes it', 'bomb')}`,
      cs: () => html`<p>Silnější figura bere slabší, dvě stejné odcházejí obě. Vítězný útočník vstoupí na pole, vítězný obránce zůstává, kde je ${ref('ST-7', 'SC-4')}. Prapor vezme kdokoli ${ref('ST-9')}.</p>
        <h3>Maršál a špión</h3><p>Průzkumník je tu silnější než minér. Špión bere maršála, ať útočí kterýkoli z nich; cokoli jiného, co se hýbe, bere špióna ${ref('ST-8')}. Minu odstraní jen minér a vstoupí na její pole; každý jiný útočník je ztracen a mina zůstává ${ref('ST-10')}.</p>
        ${ladder('house', ['špión', 'a maršál:', 'vítězí špión'], 'odstraní jen minér', 'mine')}
        <h3>Klasická hra</h3><p>Minér je silnější než průzkumník. Špión vítězí jen tehdy, když sám zaútočí na maršála; napaden prohrává s každým kromě druhého špióna. Bombu odstraní jen minér ${ref('SC-4')}.</p>
        ${ladder('classic', ['jen když', 'útočí špión'], 'odstraní jen minér', 'bomb')}`,
    },
    {
      id: 'hidden', title: { en: 'What is hidden', cs: 'Co je skryté' },
      en: () => html`<p>In Maršál a špión the attacker sees what he attacked. The attacked player learns how the combat ended and nothing else, not even what he captured. With the option <code>captives</code> he does see an attacker that leaves the game ${ref('ST-11')}.</p>${seen()}
        <p>In the classic game both players see both ranks. Spectators see neither before the end ${ref('SC-4')}.</p>
        <h3>Each player his own secrets</h3><p>The game can also be played so that ranks never leave their owner: he sends sealed commitments, and opens only a piece that fights or runs. Then the end by blocked or dead positions does not come by itself; the side to move claims it ${ref('ST-13', 'ST-14', 'SC-5')}. At the end both open everything, and who has cheated loses.</p>`,
      cs: () => html`<p>V Maršálu a špiónovi útočník vidí, koho napadl. Napadený se dozví, jak boj skončil, a nic víc, ani koho zajal. S volbou <code>captives</code> útočníka, který odchází ze hry, uvidí ${ref('ST-11')}.</p>${seen()}
        <p>V klasické hře vidí oba hráči obě hodnosti. Diváci až do konce žádnou ${ref('SC-4')}.</p>
        <h3>Každý hráč své tajemství</h3><p>Hrát lze i tak, že hodnosti svého majitele vůbec neopustí: pošle zapečetěné závazky a odkryje jen figuru, která bojuje nebo běží. Konec pro mrtvé nebo zablokované postavení pak nepřijde sám; uplatní ho strana na tahu ${ref('ST-13', 'ST-14', 'SC-5')}. Na konci oba odkryjí vše, a kdo podváděl, prohrál.</p>`,
    },
    {
      id: 'table', title: { en: 'At a board of cardboard', cs: 'Na opravdové desce' },
      en: () => html`<p>Who has the pieces on the table need not type in his moves. With <code>told</code> at <code>combats</code> each has his army on a phone of his own. You put up and move on the board; whoever attacks picks his piece on his phone, the other picks what stands there, and both phones say who falls. Each learns what he may by the rules above, and nobody else sees a rank.</p>
        <p>Whose turn it is and how pieces move you see to yourselves, and also that somebody is shut in or that the game is dead. The referee ends it when the flag is captured ${ref('ST-12', 'SC-5')} or nothing is left that moves ${ref('ST-13', 'ST-14', 'SC-5')}, and proves then that it settled every combat rightly.</p>
        <p>With one phone between you single combats can be judged, of which nothing is kept.</p>`,
      cs: () => html`<p>Kdo má figury na stole, nemusí své tahy zadávat. S volbou <code>told</code> nastavenou na <code>combats</code> má každý své vojsko ve vlastním telefonu. Staví se a táhne na desce; kdo útočí, vybere na svém telefonu figuru, druhý vybere, co tam stojí, a oba telefony řeknou, kdo padl. Každý se dozví, co podle pravidel výše smí, a hodnost nevidí nikdo jiný.</p>
        <p>Na to, kdo je na tahu a jak figury chodí, dohlížíte sami, i na to, že je někdo zablokován nebo že je hra mrtvá. Rozhodčí ji ukončí, když padne prapor ${ref('ST-12', 'SC-5')} nebo nezbývá nic, co by se hýbalo ${ref('ST-13', 'ST-14', 'SC-5')}, a pak dokáže, že každý souboj rozsoudil správně.</p>
        <p>S jedním telefonem na stole lze soudit jednotlivé souboje; z nich se nic neukládá.</p>`,
    },
    {
      id: 'end', title: { en: 'The end', cs: 'Konec hry' },
      en: () => html`<h3>Maršál a špión</h3><ul><li>Whoever captures the flag wins ${ref('ST-12')}.</li><li>If neither side could ever capture the other's flag any more, it is a draw. That is looked at after each combat ${ref('ST-13')}.</li><li>If the side to move has no piece that can move, it is a draw as well ${ref('ST-14')}.</li></ul>
        <h3>The classic game</h3><ul><li>Whoever captures the flag wins; a side that has no legal move on its turn loses. If neither side has a piece left that could move, it is a draw ${ref('SC-5')}.</li><li>A limit of moves can be agreed on ${ref('SC-8')}.</li></ul>
        <p>Resignation and an agreed draw end every game ${ref('ST-15')}.</p>`,
      cs: () => html`<h3>Maršál a špión</h3><ul><li>Kdo vezme prapor, vyhrává ${ref('ST-12')}.</li><li>Nemůže-li už žádná strana nikdy vzít prapor té druhé, je remíza. Posuzuje se to po každém boji ${ref('ST-13')}.</li><li>Nemá-li strana na tahu žádnou figuru, která by mohla táhnout, je také remíza ${ref('ST-14')}.</li></ul>
        <h3>Klasická hra</h3><ul><li>Kdo vezme prapor, vyhrává; strana, která na svém tahu nemá žádný přípustný tah, prohrává. Nezbývá-li žádné straně figura, která by se mohla hýbat, je remíza ${ref('SC-5')}.</li><li>Lze se dohodnout na omezení počtu tahů ${ref('SC-8')}.</li></ul>
        <p>Vzdáním a dohodnutou remízou končí každá hra ${ref('ST-15')}.</p>`,
    },
    {
      id: 'editions', title: { en: 'The classic game: sets and tournament rules', cs: 'Klasická hra: sady a turnajová pravidla' },
      en: () => html`<div class="pair">${step(false)}${chase()}</div>${counts('classic', 'Pieces a side, the strongest first', ['classic, isf', 'ultimate', 'duel', 'barrage'])}
        <h3>Two-square rule</h3><p>One piece may not go to and fro over the same border without end. Moves of the opponent in between make no difference; a move of another piece ends the count ${ref('SC-6')}. It is on in the tournament edition (<code>isf</code>), an option in the others.</p>${twoSquare()}
        <h3>More-square rule</h3><p>Whoever chases an enemy piece must not bring about a position again that the same chase has already made. Going straight back with one's own last move is left to the two-square rule ${ref('SC-7')}.</p>`,
      cs: () => html`<div class="pair">${step(false)}${chase()}</div>${counts('classic', 'Figury na stranu, od nejsilnější', ['classic, isf', 'ultimate', 'duel', 'barrage'])}
        <h3>Pravidlo dvou polí</h3><p>Tatáž figura nesmí bez konce přecházet sem a tam přes tutéž hranici polí. Tahy soupeře mezitím nic nemění; tah jinou figurou počítání ukončí ${ref('SC-6')}. Platí v turnajovém vydání (<code>isf</code>), v ostatních ho lze zapnout.</p>${twoSquare()}
        <h3>Pravidlo více polí</h3><p>Kdo honí nepřátelskou figuru, nesmí znovu vytvořit postavení, které při téže honičce už vytvořil. Prosté vrácení vlastního posledního tahu se řídí pravidlem dvou polí ${ref('SC-7')}.</p>`,
    },
  ],
}
