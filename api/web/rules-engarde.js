/** En garde told and drawn. What is binding are the rulings, which the daemon tells. */
import { html, nothing, svg } from './lib/lit-html.js'
import { bow, box, figure, mark, ref, say, square, text } from './rules-draw.js'

const SIZE = 44

const fencer = (x, y, seat, r = 16) => svg`<circle cx=${x} cy=${y} r=${r} class="seat-${seat}"></circle>
  ${text(x, y + 1, seat === 'l' ? 'L' : say('R', 'P'), 'white')}`

const card = (x, y, value, kind = 'card') => svg`${box(x, y, 32, 44, kind)}${value ? text(x + 16, y + 23, value, 'big dark') : nothing}`
const cards = (x, y, list, kind) => list.map((value, i) => card(x + 37 * i, y, value, kind))

/** A piece of the strip from field `first` on; fencers by field. */
function strip(x, y, first, count, at) {
  const middle = (field) => x + (field - first + 0.5) * SIZE
  return svg`${Array.from({ length: count }, (_, i) => svg`${square(x + i * SIZE, y, SIZE, [1, 23].includes(first + i) ? 'end' : '')}${text(x + (i + 0.5) * SIZE, y + SIZE + 13, first + i, 'soft tiny')}`)}
    ${Object.entries(at).map(([seat, field]) => fencer(middle(field), y + SIZE / 2, seat))}`
}

/** All 23 fields, drawn so large that a phone still shows them. */
const whole = (left, right) => svg`${Array.from({ length: 23 }, (_, i) => svg`<rect x=${i * 36} y="4" width="36" height="54" class="sq ${i % 22 ? '' : 'end'}"></rect>`)}
  ${fencer(left * 36 - 18, 31, 'l', 18)}${fencer(right * 36 - 18, 31, 'r', 18)}`

const wholeStrip = () => figure(828, 104, say('A strip of 23 fields, a fencer at each end', 'Pruh 23 polí, na každém konci jeden šermíř'), svg`
  ${whole(1, 23)}${[1, 6, 12, 18, 23].map((field) => text(field * 36 - 18, 84, field, 'huge soft'))}`,
  say('The strip has 23 fields. The left fencer begins on field 1, the right one on field 23.', 'Pruh má 23 polí. Levý šermíř začíná na poli 1, pravý na poli 23.'))

const deck = () => figure(420, 92, say('Five cards each of the values 1 to 5', 'Pět karet od každé hodnoty 1 až 5'), svg`
  ${[1, 2, 3, 4, 5].map((value, i) => svg`${box(i * 84 + 18, 4, 32, 44, 'card')}${box(i * 84 + 22, 8, 32, 44, 'card')}${card(i * 84 + 26, 12, value)}${text(i * 84 + 42, 76, '5 ×', 'soft')}`)}`,
  say('The 25 cards: five of each value.', '25 karet: pět od každé hodnoty.'), 'small')

const steps = () => figure(8 * SIZE + 8, 142, say('With a card 3 the left fencer on field 5 goes to field 8 or back to field 2', 'Kartou 3 jde levý šermíř z pole 5 na pole 8, nebo zpět na pole 2'), svg`
  ${strip(4, 70, 2, 8, { l: 5 })}${bow(4 + 3.6 * SIZE, 4 + 6.5 * SIZE, 66, 20)}${bow(4 + 3.4 * SIZE, 4 + 0.5 * SIZE, 66, 20)}${card(4 + 3.5 * SIZE - 16, 2, 3)}`,
  say('The card 3: three fields forward, or three back.', 'Karta 3: o tři pole vpřed, nebo o tři zpět.'), 'small')

const barred = () => figure(8 * SIZE + 8, 142, say('With a card 4 the left fencer may neither pass the right one nor leave the strip', 'Kartou 4 levý šermíř nesmí soupeře přeskočit ani opustit pruh'), svg`
  ${strip(4, 70, 1, 8, { l: 3, r: 6 })}${bow(4 + 2.6 * SIZE, 4 + 6.5 * SIZE, 66, 20, 'no')}${bow(4 + 2.4 * SIZE, -6, 66, 18, 'no')}${card(4 + 2.5 * SIZE - 16, 2, 4)}${mark(4 + 4.6 * SIZE, 30, false)}${mark(30, 28, false)}`,
  say('Never off the strip, and never onto the opponent or past him.', 'Nikdy mimo pruh, nikdy na soupeře ani přes něj.'), 'small')

const attack = () => figure(330, 172, say('The fencers are three fields apart; left attacks with two cards 3', 'Šermíři jsou od sebe tři pole; levý útočí dvěma kartami 3'), svg`
  ${strip(11, 74, 8, 7, { l: 9, r: 12 })}${bow(11 + 1.5 * SIZE, 11 + 4.5 * SIZE, 70, 14)}${cards(11 + 3 * SIZE - 36, 2, [3, 3])}
  <path class="line" d="M${11 + 1.5 * SIZE} 142v8h${3 * SIZE}v-8"></path>${text(11 + 3 * SIZE, 162, say('distance 3', 'vzdálenost 3'), 'soft')}`,
  say('From field 9 to field 12 it is three: an attack takes cards of value 3, one or more.', 'Z pole 9 na pole 12 jsou to tři: útočí se kartami hodnoty 3, jednou nebo více.'), 'small')

/** An exchange of blows, a row a step: who, which cards, how the table stands. */
function chain(rows, alt, caption) {
  return figure(560, rows.length * 62 + 6, alt, rows.map(([seat, list, what, count], i) => svg`
    ${box(2, i * 62 + 3, 556, 54, 'chain', 9)}${fencer(32, i * 62 + 30, seat)}${cards(62, i * 62 + 8, list)}
    ${text(200, i * 62 + 30, what, 'start')}${text(546, i * 62 + 30, count, 'end bold')}`), caption)
}

const parry = () => chain([
  ['l', [3, 3], say('attacks', 'útočí'), '2 : 0'],
  ['r', [3, 3], say('parries with the same number', 'odráží stejným počtem'), '2 : 2'],
], say('Left attacks with two cards, right parries with two', 'Levý útočí dvěma kartami, pravý dvěma odráží'),
say('A plain parry. Both fill up, left first, and left is on turn again: he attacked last.', 'Prosté odražení. Oba si doplní karty, nejprve levý, a na tahu je znovu levý: útočil naposled.'))

const counter = () => chain([
  ['l', [3, 3], say('attacks', 'útočí'), '2 : 0'],
  ['r', [3, 3, 3], say('counterattacks: one more', 'protiútok: o jednu víc'), '2 : 3'],
  ['l', [], say('has no card 3 left, is hit', 'už nemá žádnou kartu 3, je zasažen'), '2 : 3'],
], say('Left attacks with two cards, right answers with three, left cannot level and is hit', 'Levý útočí dvěma kartami, pravý odpoví třemi, levý nemůže dorovnat a je zasažen'),
say('All five cards 3 have been played. The attacker cannot level and is hit himself.', 'Všech pět karet 3 je venku. Útočník nemůže dorovnat a sám je zasažen.'))

const ending = () => figure(430, 176, say('Distance 2. Left holds two cards 2, right one: right is hit', 'Vzdálenost 2. Levý drží dvě karty 2, pravý jednu: pravý je zasažen'), svg`
  ${strip(83, 6, 10, 6, { l: 11, r: 13 })}
  ${cards(4, 90, [1, 2, 2, 4, 5])}${cards(241, 90, [1, 2, 3, 4, 5])}
  ${[[39, 90], [76, 90], [276, 90]].map(([x, y]) => box(x - 1, y - 3, 38, 50, 'note', 6))}
  ${text(94, 158, say('left: two', 'levý: dvě'), 'bold')}${text(332, 158, say('right: one – hit', 'pravý: jedna – zasažen'), 'bold')}`,
  say('The deck is empty, the hands are open, the distance is 2. Left holds more cards 2, so right is hit.', 'Balíček došel, ruce jsou odkryté, vzdálenost je 2. Levý má karet 2 víc, pravý je zasažen.'))

const travelled = () => figure(828, 122, say('Left has gone 7 fields, right 12: left is hit', 'Levý ušel 7 polí, pravý 12: levý je zasažen'), svg`
  ${whole(8, 11)}<path class="line" d="M18 66v10h252v-10M378 66v10h432v-10"></path>${text(144, 102, 7, 'huge')}${text(594, 102, 12, 'huge')}`,
  say('If the hands do not decide, the shorter way loses: left on field 8 has gone 7 fields, right on field 11 has gone 12. Left is hit.',
    'Nerozhodnou-li ruce, prohrává kratší cesta: levý na poli 8 ušel 7 polí, pravý na poli 11 jich ušel 12. Zasažen je levý.'))

const hidden = () => figure(430, 112, say('Your own hand open, the other one face down, a deck and the open cards', 'Vlastní ruka odkrytá, soupeřova rubem nahoru, balíček a vyložené karty'), svg`
  ${text(92, 12, say('you see', 'vidíte'), 'soft')}${cards(2, 28, [1, 3, 3, 4, 5])}
  ${text(330, 12, say('of the other one', 'u soupeře'), 'soft')}${[0, 1, 2, 3, 4].map((i) => card(242 + 37 * i, 28, null, 'back'))}
  ${text(92, 92, say('your five cards', 'svých pět karet'))}${text(334, 92, say('only how many', 'jen jejich počet'))}`, null)

const advance = () => figure(8 * SIZE + 8, 156, say('With a card 2 the left fencer goes from 3 to 5, then attacks at distance 4 with a card 4', 'Kartou 2 jde levý z pole 3 na pole 5 a hned útočí na vzdálenost 4 kartou 4'), svg`
  ${strip(4, 84, 2, 8, { r: 9 })}<circle cx=${4 + 1.5 * SIZE} cy="106" r="16" class="sq gone"></circle>${fencer(4 + 3.5 * SIZE, 106, 'l')}
  ${bow(4 + 1.5 * SIZE, 4 + 3.3 * SIZE, 80, 12, 'plain')}${bow(4 + 3.6 * SIZE, 4 + 7.4 * SIZE, 80, 14)}${card(4 + 2.4 * SIZE - 16, 12, 2)}${card(4 + 5.5 * SIZE - 16, 2, 4)}`,
  say('Two forward, and an attack at the new distance of 4: one turn.', 'O dvě vpřed a hned útok na novou vzdálenost 4: jediný tah.'), 'small')

/** @type {import('./rules.js').Rules} */
export const engarde = {
  id: 'engarde',
  title: { en: 'En garde', cs: 'Do střehu' },
  lead: {
    en: 'Two fencers on a narrow strip. The same cards move you, strike and parry, and you know when the other one is about to run out of them.',
    cs: 'Dva šermíři na úzkém pruhu. Týmiž kartami se chodí, útočí i brání, a dá se odhadnout, kdy soupeři dojdou.',
  },
  sections: [
    {
      id: 'what', title: { en: 'The game and what you need', cs: 'O co jde a co je potřeba' },
      en: () => html`<p>A duel for two. You win rounds by hitting the other fencer; whoever has received five hits loses ${ref('EG-8')}. The number of hits is an option.</p>
        ${wholeStrip()}<p>You need the strip, two figures, a counter of hits for each, and 25 cards.</p>${deck()}`,
      cs: () => html`<p>Souboj pro dva. Kola se vyhrávají zásahem; kdo dostal pět zásahů, prohrál hru ${ref('EG-8')}. Počet zásahů lze změnit volbou.</p>
        ${wholeStrip()}<p>Potřebujete pruh, dvě figurky, pro každého počitadlo zásahů a 25 karet.</p>${deck()}`,
    },
    {
      id: 'setup', title: { en: 'A round begins', cs: 'Začátek kola' },
      en: () => html`<p>The fencers stand on their end fields. All 25 cards are shuffled, each player gets five, and the other fifteen are the deck ${ref('EG-1')}.
        A lot says who begins the first round; after that the two begin in turn ${ref('EG-12')}. At a hit the round is over, and everything is dealt anew.</p>`,
      cs: () => html`<p>Šermíři stojí na svých krajních polích. Zamíchá se všech 25 karet, každý dostane pět a zbylých patnáct tvoří balíček ${ref('EG-1')}.
        Kdo začne první kolo, určí los; v dalších se oba střídají ${ref('EG-12')}. Zásahem kolo končí a rozdává se znovu.</p>`,
    },
    {
      id: 'turn', title: { en: 'A turn', cs: 'Tah' },
      en: () => html`<p>On your turn you either move or attack.</p>
        <h3>Moving</h3><p>Play one card and move exactly that far, forward or backward ${ref('EG-2')}. Then draw one card; the other player is on turn ${ref('EG-3')}.</p>
        <div class="pair">${steps()}${barred()}</div>
        <h3>Attacking</h3><p>Count from your field to the other fencer's. If that is 1 to 5, you may lay one or more cards of just that value as an attack instead of moving ${ref('EG-4')}.</p>${attack()}
        <p>Whoever begins his turn with nothing to play – no step that is allowed, no attack – is hit ${ref('EG-11')}.</p>`,
      cs: () => html`<p>Kdo je na tahu, buď se pohne, nebo zaútočí.</p>
        <h3>Pohyb</h3><p>Zahrajte jednu kartu a pohněte se přesně o její hodnotu, vpřed nebo vzad ${ref('EG-2')}. Pak si jednu kartu doberte a na tahu je soupeř ${ref('EG-3')}.</p>
        <div class="pair">${steps()}${barred()}</div>
        <h3>Útok</h3><p>Spočítejte, kolik polí je to ke druhému šermíři. Je-li to 1 až 5, smíte místo pohybu vyložit jako útok jednu nebo více karet právě této hodnoty ${ref('EG-4')}.</p>${attack()}
        <p>Kdo na začátku svého tahu nemá co zahrát – žádný dovolený krok ani útok –, je zasažen ${ref('EG-11')}.</p>`,
    },
    {
      id: 'parry', title: { en: 'Parry and counterattack', cs: 'Odražení a protiútok' },
      en: () => html`<p>The attacked player must parry with at least as many cards of the same value. He can do nothing else: no step back helps. If he has too few, he is hit at once ${ref('EG-5')}.</p>${parry()}
        <p>A parry with more cards is a counterattack. Now the first one has to add cards until he has at least as many on the table. If he lays more than that, it goes on. Whoever cannot level is hit ${ref('EG-6')}.</p>${counter()}
        <p>After a successful defence both stay where they are. Both fill up to five cards, first the one who attacked last, then the other; and the one who attacked last is on turn ${ref('EG-7')}. A counterattack counts as an attack.</p>`,
      cs: () => html`<p>Napadený musí útok odrazit alespoň stejným počtem karet téže hodnoty. Nic jiného udělat nesmí, ani ustoupit. Má-li jich málo, je hned zasažen ${ref('EG-5')}.</p>${parry()}
        <p>Odražení větším počtem karet je protiútok. Teď musí dorovnat první z hráčů: přidá karty, aby jich na stole měl alespoň tolik co soupeř. Přidá-li víc, je to zase protiútok. Kdo nemůže dorovnat, je zasažen ${ref('EG-6')}.</p>${counter()}
        <p>Po úspěšné obraně oba zůstanou stát. Doplní si ruce do pěti karet, nejprve ten, kdo útočil naposled, pak druhý; a kdo útočil naposled, je na tahu ${ref('EG-7')}. Protiútok je také útok.</p>`,
    },
    {
      id: 'end', title: { en: 'When the deck runs out', cs: 'Když dojde balíček' },
      en: () => html`<p>The round also ends at the moment when the last card is drawn. Both lay their hands open. If the distance is 1 to 5 and one holds more cards of just that value, the other one is hit ${ref('EG-9')}.</p>${ending()}
        <p>If that does not decide, whoever has gone fewer fields from his own end is hit. If both have gone equally far, the round does not count ${ref('EG-10')}.</p>${travelled()}
        <p>Whoever has received the set number of hits loses the game ${ref('EG-8')}. After 255 rounds without that it is drawn ${ref('EG-12')}.</p>`,
      cs: () => html`<p>Kolo končí i ve chvíli, kdy si někdo vezme poslední kartu z balíčku. Oba odkryjí ruce. Je-li vzdálenost 1 až 5 a jeden má karet právě této hodnoty víc, je zasažen druhý ${ref('EG-9')}.</p>${ending()}
        <p>Nerozhodne-li to, je zasažen ten, kdo od svého kraje ušel méně polí. Ušli-li oba stejně, kolo neplatí ${ref('EG-10')}.</p>${travelled()}
        <p>Kdo dostal stanovený počet zásahů, prohrál hru ${ref('EG-8')}. Nestane-li se to do 255 kol, je hra nerozhodná ${ref('EG-12')}.</p>`,
    },
    {
      id: 'hidden', title: { en: 'What is hidden', cs: 'Co je skryté' },
      en: () => html`${hidden()}<p>Only you see your hand. Nobody sees the order of the deck. Cards that were played lie open for all. When the deck ends a round both hands are shown; after a hit the cards left stay closed, and are opened when the game is over.</p>
        <h3>At a real table</h3><p>If you have the cards, you shuffle and deal them yourselves and the referee sees none. You tell it what you play; it knows where the fencers stand and what has been played. As it cannot see that somebody is unable to parry, he says so himself (he <i>yields</i>); likewise when he has nothing to play. When the deck is empty both type in their hands. What cannot be true is refused.</p>`,
      cs: () => html`${hidden()}<p>Svou ruku vidíte jen vy. Pořadí karet v balíčku nevidí nikdo. Zahrané karty leží odkryté. Když kolo skončí dobráním balíčku, ukážou se obě ruce; po zásahu zůstanou zbylé karty zakryté a odkryjí se, až hra skončí.</p>
        <h3>U opravdového stolu</h3><p>Máte-li karty, mícháte a rozdáváte sami a rozhodčí žádnou nevidí. Říkáte mu, co hrajete; on ví, kde šermíři stojí a co už bylo zahráno. Že někdo nemůže odrazit útok, nepozná, a tak to hráč řekne sám (<i>vzdá se odražení</i>); stejně tak, když nemá co zahrát. Když dojde balíček, oba zadají své ruce. Co nemůže být pravda, rozhodčí odmítne.</p>`,
    },
    {
      id: 'editions', title: { en: 'The published edition', cs: 'Vydání podle tištěných pravidel' },
      en: () => html`<p>All of the above are the Czech club rules (<code>do-strehu</code>). The variant <code>knizia</code> follows the published rules, at three levels. A lost round counts as a hit ${ref('EK-1')}. What differs:</p>
        <ul><li><b>Basic:</b> an attack is one card and always hits; there is no parry ${ref('EK-2')}. When the deck ends, only the way counts ${ref('EK-7')}.</li>
        <li><b>Standard:</b> an attack is parried with exactly as many cards, and there is no counterattack ${ref('EK-2')}. The attacker fills up as soon as his attack is laid. After a parry the defender is on turn with the cards that he has left, and fills up only after that ${ref('EK-3')}.</li>
        <li><b>Advanced:</b> you may also go forward with one card and attack at the new distance in the same turn ${ref('EK-4')}. Such an attack may be answered by a retreat instead of a parry; that is the defender's whole turn ${ref('EK-5')}.</li></ul>${advance()}
        <p>Whoever has nothing to play, or no answer to an attack, loses the round ${ref('EK-6')}. When the last card is drawn an attack on the table is still answered ${ref('EK-7')}.</p>`,
      cs: () => html`<p>Vše výše jsou česká klubová pravidla (<code>do-strehu</code>). Varianta <code>knizia</code> se drží tištěných pravidel a má tři úrovně. Prohrané kolo se počítá jako zásah ${ref('EK-1')}. V čem se liší:</p>
        <ul><li><b>Základní:</b> útočí se jedinou kartou, která vždy zasáhne; odražení není ${ref('EK-2')}. Když dojde balíček, rozhoduje jen ušlá cesta ${ref('EK-7')}.</li>
        <li><b>Běžná:</b> útok se odráží přesně stejným počtem karet a protiútok není ${ref('EK-2')}. Útočník si doplní ruku hned po vyložení útoku. Po odražení je na tahu obránce se zbylými kartami a doplní si až po tahu ${ref('EK-3')}.</li>
        <li><b>Pokročilá:</b> v jednom tahu smíte také popojít jednou kartou vpřed a zaútočit na novou vzdálenost ${ref('EK-4')}. Na takový útok lze místo odražení odpovědět ústupem; to je celý tah obránce ${ref('EK-5')}.</li></ul>${advance()}
        <p>Kdo nemá co zahrát nebo jak odpovědět na útok, prohrává kolo ${ref('EK-6')}. Je-li při dobrání poslední karty vyložený útok, ještě se na něj odpoví ${ref('EK-7')}.</p>`,
    },
  ],
}
