/** What the table says, in English and Czech. Each game has words of its own beside its board. */
import { recall, remember } from './keeper.js'

const guess = () => (navigator.languages ?? []).some((tag) => tag.startsWith('cs')) ? 'cs' : 'en'
let now = recall('language') ?? guess()
document.documentElement.lang = now

export const language = () => now

/** @param {'en' | 'cs'} to */
export function speak(to) {
  now = to
  remember('language', to)
  document.documentElement.lang = to
}

/** @type {{en: Object<string, string>, cs: Object<string, string>}} */
const book = { en: {}, cs: {} }

/** Adds words: {en: {key: text}, cs: {key: text}}. @param {typeof book} words */
export function teach(words) {
  Object.assign(book.en, words.en)
  Object.assign(book.cs, words.cs)
}

/**
 * The text of a key, {name} replaced; the key itself if nobody has taught it.
 * @param {string} key @param {Object<string, any>} [with_]
 */
export function t(key, with_ = {}) {
  const text = book[now][key] ?? book.en[key] ?? key
  return text.replace(/\{(\w+)\}/g, (_, name) => with_[name] ?? '')
}

/** "1 card", "3 cards", "5 karet": forms are one|few|many. @param {number} n @param {string} key */
export function count(n, key) {
  const forms = t(key).split('|')
  const form = n === 1 ? 0 : now === 'cs' && n > 1 && n < 5 ? 1 : forms.length - 1
  return `${n} ${forms[form]}`
}

teach({
  en: {
    'tagline': 'A referee that any table can trust',
    'lead': 'Play face to face with a real board, or far apart. The referee keeps your secrets, says what is allowed and why not, and proves in the end that nobody cheated.',
    'your_games': 'Your games', 'no_games': 'None yet. Start one, or open an invitation.',
    'new_game': 'New game', 'open_games': 'Games to watch', 'none_open': 'Nobody plays in public just now.',
    'play': 'Play', 'watch': 'Watch', 'back': 'Back', 'rules': 'Rules', 'forget': 'Remove from this list',
    'forget_sure': 'Without this entry you cannot come back to your seat. Remove it?',
    'language': 'Language', 'your_name': 'Your name', 'your_seat': 'Your seat', 'variant': 'Edition', 'options': 'House rules',
    'custody': 'Who holds the secrets', 'custody_referee': 'The referee', 'custody_players': 'Each player his own', 'custody_table': 'The real table',
    'custody_referee_text': 'The referee deals or receives everything secret, commits to it before play and proves it afterwards.',
    'custody_players_text': 'Your pieces never leave this device. Lose the device and you lose the game: export the secret once the game is set up.',
    'custody_table_text': 'You have the real cards or the real box here. You tell what comes to light, the referee judges.',
    'spectators': 'Others may watch', 'players': 'Players', 'start': 'Set the table', 'seat': 'Seat', 'free_seat': 'free',
    'invite_title': 'Invite {seat}', 'invite_text': 'Let the other player scan this, or send the link. It works once. Whoever has it takes the seat.',
    'copy': 'Copy link', 'copied': 'Copied', 'share': 'Share', 'print': 'Print', 'take_seat': 'Sit down', 'join_title': 'You are invited to {game}',
    'join_text': 'You will sit at {seat}.', 'already_here': 'You sit here already.',
    'waiting_seats': 'Waiting for: {seats}', 'seeding': 'Shuffling together…', 'your_turn': 'Your turn', 'turn_of': '{name} is to move',
    'they_act': 'Waiting for {name}', 'setting_up': 'The other side is still setting up', 'spectating': 'You are watching',
    'sending': 'Sending…', 'line_waiting': 'The line is down. It comes back by itself; nothing is lost.', 'resign': 'Resign', 'resign_sure': 'Give up this game?',
    'offer_draw': 'Offer a draw', 'accept_draw': 'Accept the draw', 'decline_draw': 'Decline', 'draw_offered_by': '{name} offers a draw', 'abort': 'Call it off', 'abort_sure': 'Call this game off?',
    'won': '{name} wins', 'you_won': 'You win', 'you_lost': '{name} wins', 'drawn': 'A draw', 'aborted': 'Called off',
    'log': 'What happened', 'proof': 'Proof', 'proof_ok': '{n} events signed and linked, {faces} faces as committed', 'proof_bad': 'Something does not hold. Keep the record and ask the other player to do the same.',
    'proof_own': 'Your own set-up is committed to as you made it.', 'proof_key': 'Key of this referee', 'verify': 'Verify the whole record', 'verified': 'All of it holds', 'not_verified': 'It does not hold',
    'verify_text': 'This browser checked signatures, chain and faces itself; replaying by the rules was asked of the referee. Download the record to have another program check it.',
    'download': 'Download the record', 'replay': 'Replay', 'step_back': 'One move back', 'step_on': 'One move on', 'first_move': 'To the start', 'last_move': 'To the end', 'play_on': 'Run', 'halt': 'Stop',
    'refused': 'Not allowed', 'by_ruling': 'Ruling {ruling}', 'read_ruling': 'Read it in the rules', 'close': 'Close', 'stale': 'The game has gone on meanwhile. Look at the board and move again.',
    'gone': 'This game cannot be shown: {why}', 'export_secret': 'Export my secret', 'import_secret': 'Import a secret', 'secret_warning': 'Only this device knows your pieces. Export the secret and keep it: without it you can open nothing more, and no audit means no win.',
    'secret_missing': 'Your secret is not on this device. Import it to go on.', 'claim': 'Claim the end', 'claim_text': 'Claims that nothing more can be moved or captured: it shows all your pieces left to the referee, to nobody else.',
    'clock': 'Clock', 'clock_none': 'none', 'clock_5+5': '5 minutes, 5 seconds more a move', 'clock_15+10': '15 minutes, 10 seconds more a move', 'clock_30+15': '30 minutes, 15 seconds more a move', 'clock_1d': 'a day for each move', 'clock_3d': '3 days for each move', 'clock_7d': '7 days for each move', 'clocks': 'Clocks', 'clock_days': '{d} d {h} h', 'overridden': 'The arbiter has decided: {note}', 'uncharged': '{s} s are not charged: the referee could not be reached',
    'answer_by': 'Answer by {time}', 'me': 'you', 'menu': 'More', 'dark': 'Dark', 'light': 'Light', 'board_here': 'We have the board here',
    'audit_wait': 'The secrets are being opened and checked', 'seat_taken': '{name} sits down', 'seat_reissued': 'The seat {name} was given anew', 'seat_renamed': 'The operator has changed a name: {name}', 'created': 'The table is set', 'seed_committed': '', 'seed_revealed': '', 'setup_done': '{name} has set up', 'started': 'The game begins',
    'offered': '{name} offers a draw', 'accepted': '{name} accepts the draw', 'declined': '{name} declines', 'resigned': '{name} resigns', 'timed_out': '{name} is out of time', 'ended': 'The game is over', 'audited': '{name} opened all', 'claimed': '{name} claimed the end', 'challenge': '{name} attacks',
    'reason_hits': 'by hits', 'reason_flag': 'the flag is taken', 'reason_dead': 'no flag can be taken any more', 'reason_no_move': 'no move is left', 'reason_cheeses': 'by cheeses', 'reason_last_left': 'the last one left', 'reason_all_out': 'all are out', 'reason_third_fall': 'third mouse fallen', 'reason_agreed': 'agreed', 'reason_resigned': 'by resignation', 'reason_time': 'on time', 'reason_cheat': 'the other side cheated', 'reason_no_audit': 'no audit', 'reason_limit': 'by the limit', 'reason_void': 'void', 'reason_aborted': 'called off',
    'event_word': 'event|events', 'turn_title': '● Your turn', 'host_only': 'Only who set the table can do this.', 'spare_title': 'Spare', 'not_found_page': 'There is nothing here.', 'loading': 'One moment…',
  },
  cs: {
    'tagline': 'Rozhodčí, kterému může věřit každý stůl',
    'lead': 'Hrajte u opravdové desky, nebo každý jinde. Rozhodčí drží vaše tajemství, řekne, co je dovoleno a proč ne, a nakonec dokáže, že nikdo nepodváděl.',
    'your_games': 'Vaše hry', 'no_games': 'Zatím žádná. Založte hru, nebo otevřete pozvánku.',
    'new_game': 'Nová hra', 'open_games': 'Hry k dívání', 'none_open': 'Právě nikdo nehraje veřejně.',
    'play': 'Hrát', 'watch': 'Dívat se', 'back': 'Zpět', 'rules': 'Pravidla', 'forget': 'Odebrat ze seznamu',
    'forget_sure': 'Bez tohoto záznamu se na své místo nevrátíte. Odebrat?',
    'language': 'Jazyk', 'your_name': 'Vaše jméno', 'your_seat': 'Vaše místo', 'variant': 'Vydání', 'options': 'Domácí pravidla',
    'custody': 'Kdo drží tajemství', 'custody_referee': 'Rozhodčí', 'custody_players': 'Každý hráč své', 'custody_table': 'Opravdový stůl',
    'custody_referee_text': 'Rozhodčí rozdá nebo převezme vše tajné, předem se k tomu zaváže a pak to dokáže.',
    'custody_players_text': 'Vaše kameny neopustí toto zařízení. Ztratíte-li zařízení, prohrajete: po rozestavení si tajemství uložte jinam.',
    'custody_table_text': 'Máte zde opravdové karty nebo krabici. Vy říkáte, co vyšlo najevo, rozhodčí soudí.',
    'spectators': 'Jiní se smějí dívat', 'players': 'Hráči', 'start': 'Prostřít stůl', 'seat': 'Místo', 'free_seat': 'volné',
    'invite_title': 'Pozvat: {seat}', 'invite_text': 'Ať druhý hráč kód naskenuje, nebo mu pošlete odkaz. Platí jednou. Kdo jej má, sedá si na místo.',
    'copy': 'Zkopírovat odkaz', 'copied': 'Zkopírováno', 'share': 'Sdílet', 'print': 'Vytisknout', 'take_seat': 'Posadit se', 'join_title': 'Jste zváni ke hře {game}',
    'join_text': 'Vaše místo: {seat}.', 'already_here': 'Už tu sedíte.',
    'waiting_seats': 'Čeká se na: {seats}', 'seeding': 'Míchá se společně…', 'your_turn': 'Jste na tahu', 'turn_of': 'Na tahu je {name}',
    'they_act': 'Čeká se na: {name}', 'setting_up': 'Druhá strana ještě rozestavuje', 'spectating': 'Díváte se',
    'sending': 'Odesílá se…', 'line_waiting': 'Spojení vypadlo. Vrátí se samo; nic se neztratilo.', 'resign': 'Vzdát se', 'resign_sure': 'Vzdát tuto hru?',
    'offer_draw': 'Nabídnout remízu', 'accept_draw': 'Přijmout remízu', 'decline_draw': 'Odmítnout', 'draw_offered_by': '{name} nabízí remízu', 'abort': 'Zrušit hru', 'abort_sure': 'Zrušit tuto hru?',
    'won': 'Vyhrává {name}', 'you_won': 'Vyhráli jste', 'you_lost': 'Vyhrává {name}', 'drawn': 'Remíza', 'aborted': 'Hra byla zrušena',
    'log': 'Co se stalo', 'proof': 'Důkaz', 'proof_ok': 'Podepsáno a navázáno událostí: {n}, tváře podle závazku: {faces}', 'proof_bad': 'Něco nesedí. Uschovejte záznam a požádejte o totéž druhého hráče.',
    'proof_own': 'Závazek k vašemu rozestavení je takový, jak jste je udělali.', 'proof_key': 'Klíč tohoto rozhodčího', 'verify': 'Ověřit celý záznam', 'verified': 'Vše sedí', 'not_verified': 'Nesedí to',
    'verify_text': 'Podpisy, řetěz a tváře ověřil tento prohlížeč sám; přehrání podle pravidel provedl rozhodčí. Záznam si můžete stáhnout a dát ověřit jinému programu.',
    'download': 'Stáhnout záznam', 'replay': 'Přehrát', 'step_back': 'O tah zpět', 'step_on': 'O tah dál', 'first_move': 'Na začátek', 'last_move': 'Na konec', 'play_on': 'Spustit', 'halt': 'Zastavit',
    'refused': 'Nelze', 'by_ruling': 'Pravidlo {ruling}', 'read_ruling': 'Přečíst v pravidlech', 'close': 'Zavřít', 'stale': 'Hra mezitím pokročila. Podívejte se na desku a táhněte znovu.',
    'gone': 'Tuto hru nelze ukázat: {why}', 'export_secret': 'Uložit mé tajemství', 'import_secret': 'Načíst tajemství', 'secret_warning': 'Vaše kameny zná jen toto zařízení. Tajemství si uložte: bez něj už nic neodkryjete, a bez auditu není výhra.',
    'secret_missing': 'Vaše tajemství na tomto zařízení není. Načtěte je, abyste mohli pokračovat.', 'claim': 'Uplatnit konec', 'claim_text': 'Tvrdí, že už nelze táhnout nebo brát: ukáže všechny vaše zbylé kameny rozhodčímu, nikomu jinému.',
    'clock': 'Hodiny', 'clock_none': 'žádné', 'clock_5+5': '5 minut a 5 sekund za tah', 'clock_15+10': '15 minut a 10 sekund za tah', 'clock_30+15': '30 minut a 15 sekund za tah', 'clock_1d': 'den na každý tah', 'clock_3d': '3 dny na každý tah', 'clock_7d': '7 dní na každý tah', 'clocks': 'Hodiny', 'clock_days': '{d} d {h} h', 'overridden': 'Rozhodnutí arbitra: {note}', 'uncharged': '{s} s se nepočítá: rozhodčí nebyl k zastižení',
    'answer_by': 'Odpovězte do {time}', 'me': 'vy', 'menu': 'Další', 'dark': 'Tmavě', 'light': 'Světle', 'board_here': 'Desku máme tady',
    'audit_wait': 'Tajemství se otevírají a kontrolují', 'seat_taken': '{name} usedá', 'seat_reissued': 'Místo {name} bylo dáno znovu', 'seat_renamed': 'Správce změnil jméno: {name}', 'created': 'Stůl je prostřen', 'seed_committed': '', 'seed_revealed': '', 'setup_done': '{name} má rozestaveno', 'started': 'Hra začíná',
    'offered': '{name} nabízí remízu', 'accepted': '{name} přijímá remízu', 'declined': '{name} odmítá', 'resigned': '{name} se vzdává', 'timed_out': '{name} překročil čas', 'ended': 'Hra skončila', 'audited': '{name} vše odkryl', 'claimed': '{name} uplatnil konec', 'challenge': '{name} útočí',
    'reason_hits': 'na zásahy', 'reason_flag': 'prapor je dobyt', 'reason_dead': 'žádný prapor už nelze dobýt', 'reason_no_move': 'není tah', 'reason_cheeses': 'na sýry', 'reason_last_left': 'zbyl jako poslední', 'reason_all_out': 'všichni vypadli', 'reason_third_fall': 'třetí myš spadla', 'reason_agreed': 'dohodou', 'reason_resigned': 'vzdáním', 'reason_time': 'na čas', 'reason_cheat': 'druhá strana podváděla', 'reason_no_audit': 'bez auditu', 'reason_limit': 'limit tahů', 'reason_void': 'neplatná', 'reason_aborted': 'zrušena',
    'event_word': 'událost|události|událostí', 'turn_title': '● Jste na tahu', 'host_only': 'To smí jen ten, kdo stůl prostřel.', 'spare_title': 'Navíc', 'not_found_page': 'Tady nic není.', 'loading': 'Okamžik…',
  },
})
