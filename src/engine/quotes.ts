/*
 * What somebody wrote, without the history that their program put under or around it. Told by how quoting looks
 * rather than by who made it: a line that names a time and a person and announces what follows, a block of header
 * lines, a rule with words in it, or marks at the beginning of lines.
 */

const VERBS = [
  'wrote|writes|said',
  'schrieb|geschrieben|schreibt',
  'a écrit|écrit|a ecrit',
  'escribió|escribio|ha escrito',
  'escreveu|ha scritto|scritto|scrive',
  'schreef|geschreven',
  'skrev|skriver|kirjoitti',
  'napisał|napisała|napisał\\(a\\)|pisze|napsal|napsala|napísal|napisao|napisala|je napisao',
  'написал|написала|написав|пишет|пише|напиша',
  'írta|irta|a scris|yazdı|έγραψε|đã viết|menulis|написа',
  '写道|寫道|のメッセージ|書きました|작성',
].join('|')
const VERB = new RegExp(`(?:^|[\\s"»>)])(?:${VERBS})(?![\\p{L}])`, 'iu')
/** A day or an hour: digits parted as clocks and calendars part them, or a year. */
const TIME = /\d{1,2}[:.h]\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b(?:19|20)\d{2}\b/
const PERSON = /[^\s<>@]+@[^\s<>@]+/
const MARKED = /^\s{0,3}>/

const FROM =
  /^\s*\*?(?:from|von|de|da|fra|från|van|od|от|від|kimden|lähettäjä|feladó|de la|από|发件人|寄件者|差出人|보낸 사람|từ)\s*:\*?/i
const OTHER_HEADER =
  /^\s*\*?(?:message du|sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|envoye|date|à|a|objet|sujet|copie à|inviato|data|oggetto|per|enviado|fecha|para|asunto|assunto|verzonden|aan|onderwerp|sendt|dato|til|emne|skickat|till|ämne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|отправлено|дата|кому|тема|gönderildi|kime|konu|küldve|címzett|tárgy|发送时间|收件人|主题|日期|傳送時間|收件者|主旨|送信日時|宛先|件名|보낸 날짜|받는 사람|제목)\s*:\*?/i
const RULE_WITH_WORDS = /^\s*[-_=*]{3,}\s*[\p{L}][\p{L}\s'’.():]{2,60}[\p{L})]\s*[-_=*]{3,}\s*$/iu
const ORIGINAL =
  /^\s*[-_=*]{2,}\s*(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht)\b/i
const BARE_RULE = /^[\s\-_=*#~]*$/

const ANNOUNCEMENT_LINES = 3
const LONGEST_ANNOUNCEMENT = 400

/** How many lines, from `at` on, announce a quotation; 0 when they do not. */
const announcementAt = (lines: readonly string[], at: number): number => {
  let text = ''
  for (let count = 1; count <= ANNOUNCEMENT_LINES; count++) {
    const line = lines[at + count - 1]
    if (line === undefined || line.trim() === '') return 0
    // The end of an address that was broken over two lines looks like a mark.
    if (count > 1 && MARKED.test(line) && !/<[^>]*$/.test(text)) return 0
    // One that goes over several lines begins with when it was.
    if (count === 1 && !/\d/.test(line)) return 0
    text = `${text} ${line.trim()}`.trimStart()
    if (text.length > LONGEST_ANNOUNCEMENT) return 0
    const isClosed = /[:：]\s*$/.test(text)
    if (!TIME.test(text)) continue
    if (isClosed && (PERSON.test(text) || VERB.test(text))) return count
    if (VERB.test(text.slice(-40)) && PERSON.test(text) && (lines[at + count] ?? '').trim() === '')
      return count
  }
  return 0
}

const HEADER_LINES = 6

/** Header lines of an older message: who it is from, and at least one more. */
const isHeaderBlock = (lines: readonly string[], at: number): boolean => {
  const line = lines[at] as string
  if (!FROM.test(line) && !OTHER_HEADER.test(line)) return false
  const block = lines.slice(at, at + HEADER_LINES)
  const from = block.filter((each) => FROM.test(each)).length
  const others = block.filter((each) => OTHER_HEADER.test(each) && !FROM.test(each)).length
  return from >= 1 && others >= 2 && block.some((each) => PERSON.test(each) || TIME.test(each))
}

const isDivider = (line: string): boolean => RULE_WITH_WORDS.test(line) || ORIGINAL.test(line)

const tidy = (lines: readonly string[]): string => {
  let end = lines.length
  while (end > 0 && BARE_RULE.test(lines[end - 1] as string) && !/^-- ?$/.test(lines[end - 1] as string))
    end--
  return lines.slice(0, end).join('\n').trim()
}

const MOST_LINES = 5_000

/** The text without quoted history; all of it when there is nothing but history, as in what was only forwarded. */
export const withoutQuotes = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n').split('\n', MOST_LINES)
  const own: string[] = []
  const hasWritten = (): boolean => own.some((line) => !BARE_RULE.test(line))
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (MARKED.test(line)) continue
    const announced = announcementAt(lines, at)
    if (announced > 0) {
      const next = lines.slice(at + announced).find((each) => each.trim() !== '')
      if (hasWritten() || next === undefined || !MARKED.test(next)) break
      at += announced - 1
      continue
    }
    if (isDivider(line) || isHeaderBlock(lines, at)) break
    own.push(line)
  }
  return tidy(own) || text.trim()
}

const SIGNATURE =
  /^(?:-- ?$|—\s*$|(?:sent|get|envoyé|gesendet|enviado|inviato|verzonden|skickat|sendt|wysłane|отправлено)\s(?:from|outlook|de|depuis|à partir|mit|von|meinem|desde|do meu|da|vanaf|met|från|fra|z|с)\b.{0,80}$)/imu

const SNIPPET_LENGTH = 200

/** The first words that somebody wrote, on one line. */
export const snippetOf = (text: string): string => {
  const own = withoutQuotes(text.slice(0, 50_000))
  const signature = SIGNATURE.exec(own)
  const words = signature && signature.index > 0 ? own.slice(0, signature.index) : own
  const line = words
    .replace(/https?:\/\/\S{60,}/g, '…')
    .replace(/(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/g, ' ')
    .trim()
  if (line.length <= SNIPPET_LENGTH) return line
  return `${line
    .slice(0, SNIPPET_LENGTH - 1)
    .replace(/\s\S{0,20}$/, '')
    .toWellFormed()}…`
}
