/*
 * Classifies the lines of an email as the writer's own text, quoted history or signature. Clients and
 * languages differ in words, not in form. An attribution ends in a colon and has a date and a person. A
 * header block is a run of "Name: value" lines with an address.
 */
export type LineKind = 'own' | 'quote' | 'signature'

export interface MailLine {
  kind: LineKind
  from: number
  /** Excludes the line break. */
  to: number
}

const WROTE = new RegExp(
  `(?<!\\p{L})(?:${[
    'wrote|writes|schrieb|schreibt|geschrieben|a écrit|a ecrit|écrit|écrivait',
    'escribió|escribio|ha escrito|ha scritto|scritto|scrisse|scrive|escreveu|schreef|geschreven',
    'skrev|skriver|kirjoitti|írta|irta|yazdı|a scris|menulis|đã viết|έγραψε',
    'napisał|napisała|napisał\\(a\\)|pisze|napsal|napsala|napísal|napísala|napisao|napisala',
    'написал|написала|написав|написа|пишет|пише|напиша',
  ].join('|')})(?!\\p{L})|写道|寫道|のメール|のメッセージ|書きました|작성`,
  'iu',
)
const DATE =
  /\d{1,2}:\d{2}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b(?:19|20)\d{2}\b|\d{1,2}\.\s?\p{L}{3,}|\p{L}{3,9}\.?\s\d{1,2},|\d{1,2}\s\p{L}{3,10}/u
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,}/
const RULED = /^[\s*>]*[-_=]{2,}\s?\p{L}[\p{L}\s'’]{3,60}\s?[-_=]{2,}\s*$/u
/**
 * Matches separators of replied or forwarded messages, with or without dashes. Also matches help-desk markers
 * such as "reply above this line".
 */
const ORIGINAL =
  /^[\s*>]*[-_=*]{2,}\s?(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht)(?!\p{L})|^\s*(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|début du message (?:transféré|réexpédié)|inizio messaggio inoltrato|inicio del mensaje reenviado)\s?[:：]\s*$|^[\s#=*_-]*(?:please )?(?:type|write|reply|antworten sie|schreiben sie)[^\n]{0,30} (?:above|oberhalb|über) (?:this|the|dieser) (?:line|zeile|linie)[\s#=*_-]*$/iu
const RULE = /^\s*(?:[-_=]{4,}|\*{5,})\s*$/
const HEADER = /^[\s*]*\p{L}[\p{L} .'’-]{0,24}\*?\s?[:：]\*?(?:\s.*|$)/u
const FROM =
  /^[\s*]*(?:from|von|de|da|fra|från|van|od|от|від|mittente|expéditeur|remitente|lähettäjä|feladó|kimden|发件人|差出人|보낸 사람)\*?\s?[:：]/iu

const SENT_FROM =
  /^\s*(?:sent (?:from|with|via|using) |get outlook for|von meine[mr](?:\/meiner)? .{1,60} gesendet|gesendet (?:von|mit) |envoyé (?:de|depuis|à partir) |enviado (?:desde|do|de) |inviato da |verstuurd vanaf |skickat från |sendt fra |wysłane z |отправлено (?:с|из) |diese nachricht wurde von meinem|outlook für (?:android|ios) (?:herunterladen|beziehen)|holen sie sich outlook|yahoo mail|téléchargez outlook|ottieni outlook)/iu
const CLOSING =
  /^\s*(?:(?:with )?(?:kind|kindest|best|warm|warmest|many thanks and|friendly)?\s?(?:regards|wishes)|best|all the best|cheers|sincerely|yours(?: sincerely| truly| faithfully)?|thanks(?: again| so much| a lot| in advance)?|many thanks|thank you|thx|br|kr|talk soon|take care|(?:mit )?(?:freundliche[mnr]?|beste[mnr]?|herzliche[mnr]?|liebe[mnr]?|viele[mnr]?|schöne[mnr]?|sonnige[mnr]?)?\s?(?:grüßen|gruß|grüße|grüßle)(?:\s(?:aus|nach)\s(?:dem |der )?\p{L}+)?|herzlichst|freundlichst|dein[e]?|ihr[e]?|love|xx|xoxo|hugs|ciao|servus|salut|cordialement|saludos|cordiali saluti|(?:viele|liebe|beste|herzliche|schöne|freundliche) grüße|(?:vielen|besten|herzlichen) dank|danke|lg|vg|mfg|bg|hochachtungsvoll)\s?[,.!]?\s*$/iu

/** Matches a closing with a name on one line: "Cheers, Tom", "MfG Karl". */
const SIGNED =
  /^\s*(?:(?:[Kk]ind |[Bb]est |[Ww]arm )?[Rr]egards|[Bb]est wishes|[Bb]est|[Cc]heers|[Tt]hanks|[Mm]any thanks|[Tt]hx|[Ll]ove|xx|(?:[Vv]iele|[Ll]iebe|[Bb]este|[Hh]erzliche|[Ss]chöne|[Ff]reundliche) Grüße|[Mm]it (?:freundlichen|besten|lieben) Grüßen|(?:[Ll]ieben |[Ss]chönen |[Bb]esten )?Gruß|[Dd]anke|LG|lg|VG|vg|MfG|MFG|mfg|BG)(?:,\s?|\s)(?!(?:for|to|and|again|in|a|so|very|will|für|und|an|zu)\b)\p{Lu}[\p{L}.'’-]{0,20}(?:\s\p{Lu}[\p{L}.'’-]{0,20}){0,2}\s*$/u
/** Matches disclaimers that mail servers append. */
const DISCLAIMER =
  /^\s*(?:this (?:e-?mail|message)(?: and any (?:attachments?|files)[^.\n]{0,60})? (?:is|are|may|contains?)[^.\n]{0,80}(?:confidential|privileged|intended (?:solely|only))|the information (?:contained )?in this (?:e-?mail|message)[^.\n]{0,80}(?:confidential|privileged|intended)|confidentiality notice|disclaimer\s?:|diese (?:e-?mail|nachricht) (?:enthält|ist)[^.\n]{0,80}vertraulich|der inhalt dieser e-?mail ist[^.\n]{0,60}vertraulich|(?:please )?consider the environment before printing)/iu

const MAX_ATTRIBUTION_LENGTH = 500

/** Tests the end of the line first, because few lines end like an attribution. */
const isAttribution = (line: string): boolean => {
  if (/[:：]$/.test(line))
    return (WROTE.test(line) || /<[^<>]{0,200}@[^<>]{0,200}>\s?[:：]$/.test(line)) && DATE.test(line)
  return (
    /\b(?:wrote|schrieb|écrit|escribió|scritto)$/iu.test(line.slice(-12)) &&
    ADDRESS.test(line) &&
    DATE.test(line)
  )
}

const NAMED_ONLY = /^(?:[^.?!:]|\.(?=\S)){2,120}\s(?:wrote|schrieb|a écrit|escribió|ha scritto)\s?[:：]$/iu

/** "Ann wrote:" has no date, so it counts only if a quoted line follows. */
const leadsToQuote = (lines: readonly string[], at: number): boolean => {
  const line = (lines[at] as string).trim()
  if (!/[:：]$/.test(line) || !NAMED_ONLY.test(line)) return false
  const next = lines.slice(at + 1, at + 3).find((line) => line.trim() !== '')
  return next !== undefined && isQuoted(next)
}

/** Counts the lines of an attribution, which may be wrapped over three lines. */
const attributionLength = (lines: readonly string[], at: number): number => {
  let joined = ''
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const line = (lines[at + count - 1] as string).trim()
    if (line === '' || (line.startsWith('>') && !/^>\s?[:：]$/.test(line))) return 0
    joined = `${joined} ${line}`.trim()
    if (joined.length > MAX_ATTRIBUTION_LENGTH) return 0
    // Starts the attribution as late as possible, so that it excludes the writer's last line.
    if (isAttribution(joined)) {
      const shorter = [1, 2].some(
        (skip) =>
          skip < count &&
          isAttribution(
            lines
              .slice(at + skip, at + count)
              .join(' ')
              .trim(),
          ),
      )
      return shorter ? 0 : count
    }
  }
  return 0
}

/**
 * Counts the lines of a header block in any language. It has at least three header lines, with an address or
 * "From".
 */
const headerLength = (lines: readonly string[], at: number): number => {
  let count = 0
  while (count < 12 && at + count < lines.length && HEADER.test(lines[at + count] as string)) count++
  if (count < 3) return 0
  const block = lines.slice(at, at + count).join('\n')
  return (ADDRESS.test(block) || FROM.test(lines[at] as string)) && DATE.test(block) ? count : 0
}

const isQuoted = (line: string): boolean => /^\s{0,3}>/.test(line)

/** Tells whether the rest of the email is history, as in replies above the quoted message. */
const startsHistory = (lines: readonly string[], at: number): boolean => {
  const line = lines[at] as string
  if (RULED.test(line) || ORIGINAL.test(line)) return true
  if (RULE.test(line)) {
    let next = at + 1
    while (next < lines.length && next < at + 4 && (lines[next] as string).trim() === '') next++
    return headerLength(lines, next) > 0 || (next < lines.length && ORIGINAL.test(lines[next] as string))
  }
  return headerLength(lines, at) > 0
}

const markHistory = (lines: readonly string[], kinds: LineKind[]): void => {
  for (let at = 0; at < lines.length; at++) {
    if (isQuoted(lines[at] as string)) {
      kinds[at] = 'quote'
      continue
    }
    const attribution = attributionLength(lines, at) || (leadsToQuote(lines, at) ? 1 : 0)
    if (attribution > 0) {
      let next = at + attribution
      kinds.fill('quote', at, next)
      while (next < lines.length && (lines[next] as string).trim() === '') next++
      // History with ">" marks ends with the marks. History without marks extends to the end of the email.
      if (next < lines.length && !isQuoted(lines[next] as string)) {
        kinds.fill('quote', at)
        return
      }
      at += attribution - 1
    } else if (startsHistory(lines, at)) {
      kinds.fill('quote', at)
      return
    }
  }
}

/** The maximum number of lines in a signature after its closing. */
const MAX_SIGNATURE_LINES = 14

const markSignature = (lines: readonly string[], kinds: LineKind[]): void => {
  const own = [...lines.keys()].filter((at) => kinds[at] === 'own' && (lines[at] as string).trim() !== '')
  const start = own.findIndex((at, index) => {
    const line = lines[at] as string
    if (/^-- ?\r?$/.test(line) || SENT_FROM.test(line)) return true
    if (index > 0 && DISCLAIMER.test(line)) return true
    // A thank-you in the first line is the message itself, not a closing.
    if (index === 0 || own.length - index - 1 > MAX_SIGNATURE_LINES) return false
    if (SIGNED.test(line) && index >= own.length - 2) return true
    if (!CLOSING.test(line)) return false
    return own.slice(index + 1, index + 4).every((other) => (lines[other] as string).length <= 60)
  })
  if (start < 0) return
  for (let at = own[start] as number; at < lines.length; at++)
    if (kinds[at] === 'own') kinds[at] = 'signature'
}

/** Further lines are not analyzed; the end of a long email is history or noise. */
const MAX_LINES = 4000

export const splitMail = (text: string): MailLine[] => {
  const lines = text.split('\n')
  if (lines.length > MAX_LINES) lines.push(lines.splice(MAX_LINES).join('\n'))
  const plain = lines.map((line) => (line.length > 2000 ? line.slice(0, 2000) : line))
  const kinds = new Array<LineKind>(lines.length).fill('own')
  markHistory(plain, kinds)
  // Clients that wrap quoted text leave an unmarked remainder between two marked lines.
  for (let at = 1; at + 1 < plain.length; at++)
    if (
      kinds[at - 1] === 'quote' &&
      (plain[at - 1] as string).length >= 50 &&
      isQuoted(plain[at + 1] as string) &&
      /^\p{Ll}/u.test(plain[at] as string)
    )
      kinds[at] = 'quote'
  if (plain.length > MAX_LINES) kinds[MAX_LINES] = 'quote'
  markSignature(plain, kinds)
  let offset = 0
  return lines.map((line, index) => {
    const from = offset
    offset += line.length + 1
    return { kind: kinds[index] as LineKind, from, to: from + line.length }
  })
}

const FORWARDED =
  /^[\s*>]*(?:[-_=*]{2,}\s?forwarded message|[-_=*]{2,}\s?weitergeleitete nachricht|begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail))(?!\p{L})/imu
const MAX_FORWARD_HEADER_LENGTH = 2000

/** Returns the start of the body of a forwarded message, or -1. */
const findForwardedBody = (text: string): number => {
  const mark = FORWARDED.exec(text.slice(0, MAX_FORWARD_HEADER_LENGTH))
  if (!mark) return -1
  const headers = /\n[^\S\n]*\n/u.exec(text.slice(mark.index, mark.index + MAX_FORWARD_HEADER_LENGTH))
  return headers ? mark.index + headers.index + headers[0].length : -1
}

const keepOwn = (text: string): string =>
  splitMail(text)
    .map(({ kind, from, to }) => (kind === 'own' ? text.slice(from, to) : ' '.repeat(to - from)))
    .join('\n')

/**
 * Replaces text that the writer did not write with spaces, so that all offsets stay valid. If the writer only
 * forwarded a message, the body of that message is kept.
 */
export const ownText = (text: string): string => {
  const own = keepOwn(text)
  const body = own.trim() === '' ? findForwardedBody(text) : -1
  return body < 0 ? own : own.slice(0, body) + keepOwn(text.slice(body))
}

/** Returns the writer's own text, optionally with the signature. */
export const replyOf = (text: string, withSignature = false): string =>
  splitMail(text)
    .filter(({ kind }) => kind === 'own' || (withSignature && kind === 'signature'))
    .map(({ from, to }) => text.slice(from, to))
    .join('\n')
    .trim()
