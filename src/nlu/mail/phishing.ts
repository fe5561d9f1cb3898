import { smallOf } from '../lower-case.ts'
import type { Insight } from './facts.ts'

/** Brands that phishing mail impersonates. */
const BRANDS =
  'paypal|apple|icloud|amazon|microsoft|office365|outlook|google|gmail|netflix|dhl|fedex|usps|hermes|sparkasse|volksbank|postbank|commerzbank|deutschebank|comdirect|wellsfargo|bankofamerica|barclays|hsbc|santander|facebook|instagram|whatsapp|linkedin|ebay|dropbox|docusign|telekom|vodafone|coinbase|binance|klarna|spotify|steam'

const HOST = /https?:\/\/(?:[^\s/@<>"]{1,200}@)?([^\s/:?#<>"')\]]{3,200})/gi
const BRANDED = new RegExp(`(?:^|[.-])(?:${BRANDS})(?:[.-]|$)`)
const OWN = new RegExp(`^(?:${BRANDS})$`)
/** Words that phishing hosts combine with a brand: "paypal-login", "secure-paypal". */
const BAIT =
  'log-?in|sign-?in|secure|security|sicherheit|verify|verification|account|konto|support|service|kundenservice|update|billing|alert|unlock|help|pay|payment|paket|delivery|tracking|zoll|id'
/**
 * A brand's domain in front of another domain, or a brand combined with a bait word. "outlook.live.com" is
 * neither.
 */
const BORROWED = new RegExp(
  `(?:^|[.-])(?:(?:${BRANDS})\\.(?:com|net|org|de|co)[.-]|(?:${BRANDS})-(?:${BAIT})(?:[.-]|$)|(?:${BAIT})-(?:${BRANDS})(?:[.-]|$))`,
)
const SECOND_LEVEL = /^(?:co|com|org|net|gov|ac|edu)$/

/** Returns the registered name of a host: "paypal" for "mail.paypal.co.uk". */
const ownerOf = (host: string): string => {
  const labels = host.split('.')
  const last = labels.length - (SECOND_LEVEL.test(labels.at(-2) ?? '') && labels.length > 2 ? 3 : 2)
  return labels[Math.max(0, last)] ?? host
}

/** True for hosts that impersonate a brand: "paypal.com.verify.example", "paypal-login.example". */
const isBorrowed = (host: string): boolean => BORROWED.test(host) && !OWN.test(ownerOf(host))

/** True for a brand written with look-alike characters: "paypa1". */
const isLookalike = (host: string): boolean => {
  const plain = host
    .replace(/0/g, 'o')
    .replace(/1/g, 'l')
    .replace(/3/g, 'e')
    .replace(/5/g, 's')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
  return plain !== host && BRANDED.test(plain) && !BRANDED.test(host)
}

const isNumbers = (host: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)

/** Threats, and requests for secrets. Each alone is ordinary. Matched against lower-case text. */
const FEAR =
  /\b(?:account|access|card|mailbox|konto|zugang|karte|postfach)\b[^.\n]{0,60}\b(?:suspended|limited|locked|restricted|deactivated|closed|terminated|gesperrt|eingeschränkt|deaktiviert|geschlossen)\b|\bunusual (?:activity|sign-?in)\b|\bwithin (?:24|48|12) hours or\b|\binnerhalb von (?:24|48) stunden\b/
const SECRETS =
  /\b(?:verify|confirm|validate|update|enter|bestätigen sie|aktualisieren sie|geben sie)\b[^.\n]{0,30}\b(?:passwords?|pin|identity|card details|credit card|banking details|payment (?:details|information)|account (?:details|information)|credentials|login|passwort|zugangsdaten|identität|kreditkarte|bankdaten|kontodaten|tan)\b/
/**
 * A German request for the PIN or a TAN, which no bank sends by mail. A pickup PIN is told, not requested. Matched
 * against one lower-case sentence.
 */
const BANK_SECRET =
  /\b(?:m?tans?|push-?tan|(?:m|push)?tan-?(?:nummern?|liste)|(?:online-?)?pins?)\b(?!\s*(?:lautet|ist|:|\d))/
const REQUEST =
  /(?<![a-zß-ÿ])(?:geben sie|gib|(?:ein|an)(?:zu)?geben|bestätige[nt]?|bestätigung|(?:teilen sie|teile)[^.]{0,60}\bmit|mitteilen|nennen|nenne|senden|sende|schicken?|übermitteln?|aktualisieren?|verifizieren?|abgleichen|hinterlegen?)(?![a-zß-ÿ])/
const NEGATION = /\b(?:nie|niemals|nicht|keine[nr]?|kein)\b/
const REPLY_REQUEST = /\b(?:antwort\w*|antworten sie|zurück)\b/

/** Gift card requests, which are almost always fraud. */
const GIFTS =
  /\b(?:buy|purchase|get|pick up|need|send)\b[^.\n]{0,40}\bgift ?cards?\b|\bgeschenkkarten?\b[^.\n]{0,40}\b(?:kaufen|besorgen|schicken)/
/** The "new phone number" scam: a supposed relative who needs money. */
const NEW_NUMBER =
  /\b(?:(?:this is )?my new (?:phone )?number|(?:phone|mobile|handy|telefon)\b[^.\n]{0,30}\b(?:broke|broken|lost|stolen|kaputt|verloren|gestohlen)|meine neue (?:handy)?nummer)\b/
const MONEY =
  /(?<![a-zß-ÿ])(?:send|transfer|lend|pay|überweis\w*|schick\w*|leih\w*)\b[^.\n]{0,40}\d[^.\n]{0,20}(?:€|\$|£|eur|euros?|dollars?|pounds?)|\d{2,}\s?(?:€|\$|£|eur|euros?|dollars?|pounds?)[^.\n]{0,30}(?:überweis|schick|transfer|send)/
const CODES = /\b(?:send|text|e-?mail|forward|schick\w*|sende\w*)\b[^.\n]{0,40}\bcodes?\b/
/** Promised riches, and the data or fees demanded in exchange. */
const RICHES =
  /\b(?:you(?:'ve| have) (?:won|been selected)|(?:lottery|prize|inheritance|unclaimed (?:funds?|money)|next of kin|gewinnspiel|sie haben gewonnen|erbschaft))\b/
const AGAINST =
  /\b(?:bank (?:details|account)|account (?:details|number)|claim (?:your|the) (?:prize|winnings?|reward|funds?)|processing fee|passport copy|bankdaten|kontodaten|bearbeitungsgebühr|gewinn (?:abholen|anfordern))\b/
const TRANSFER =
  /\b(?:wire transfer|urgent (?:payment|transfer)|bank transfer|eilüberweisung|dringende überweisung)\b/
const SECRECY =
  /\b(?:keep (?:this|it) (?:confidential|between us|quiet|secret)|(?:do not|don't) (?:call|tell|discuss|mention)|confidential transaction|streng vertraulich|nicht (?:anrufen|weitersagen)|behalten sie (?:das|dies) für sich)\b/

const hostsIn = (text: string): { host: string; text: string; offset: number }[] =>
  [...text.matchAll(HOST)].slice(0, 200).map((match) => ({
    host: (match[1] as string).toLowerCase().replace(/\.$/, ''),
    text: match[0],
    offset: match.index,
  }))

/** Quick check: without one of these words none of the remaining patterns match. */
const BAITED =
  /gift|geschenk|lotter|prize|inherit|unclaimed|next of kin|gewin|gewonn|erbschaft|you(?:'ve| have) (?:won|been)|new (?:phone )?number|neue (?:handy)?nummer|broke|lost|stolen|kaputt|verloren|gestohlen/
const MAX_FOUND = 5

const findBankSecretRequest = (text: string, small: string): Insight | undefined => {
  for (const { 0: sentence, index } of small.matchAll(/[^.!?\n][^.!?]{0,400}/g))
    if (BANK_SECRET.test(sentence) && REQUEST.test(sentence) && !NEGATION.test(sentence)) {
      const words = text.slice(index, index + sentence.length)
      return { kind: 'phishing', text: words.trim(), offset: index + words.search(/\S/) }
    }
  return undefined
}

/** Finds signs of phishing, each with the words that show it. */
export const findPhishing = (whole: string, from: string): Insight[] => {
  const text = whole.slice(0, 50_000)
  const small = smallOf(text)
  const piece = (pattern: RegExp): Insight | undefined => {
    const match = pattern.exec(small)
    return match
      ? {
          kind: 'phishing',
          text: text.slice(match.index, match.index + match[0].length),
          offset: match.index,
        }
      : undefined
  }
  const sender = (from.split('@').at(-1) ?? '').toLowerCase()
  const found: Insight[] = []
  const hosts = hostsIn(text)
  const fear = piece(FEAR)
  for (const { host, text: words, offset } of hosts)
    if (isBorrowed(host) || isLookalike(host) || (fear && isNumbers(host)))
      found.push({ kind: 'phishing', text: words, offset })
  if (isLookalike(sender)) found.push({ kind: 'phishing', text: from, offset: -1 })
  // A genuine provider sends from the domain that its links point to.
  const isElsewhere = hosts.length > 0 && hosts.every(({ host }) => ownerOf(host) !== ownerOf(sender))
  const secrets = fear && isElsewhere ? piece(SECRETS) : undefined
  if (fear && secrets) found.push(fear, secrets)
  if (isElsewhere || REPLY_REQUEST.test(small)) {
    const request = findBankSecretRequest(text, small)
    if (request) found.push(request)
  }
  const secrecy = piece(SECRECY)
  const bait = secrecy && (piece(GIFTS) ?? piece(TRANSFER))
  if (secrecy && bait) found.push(secrecy, bait)
  if (!BAITED.test(small)) return found.slice(0, MAX_FOUND)
  const gifts = bait ? undefined : piece(GIFTS)
  const codes = gifts && piece(CODES)
  if (gifts && codes) found.push(gifts, codes)
  const stranded = piece(NEW_NUMBER)
  const money = stranded && piece(MONEY)
  if (stranded && money) found.push(stranded, money)
  const riches = piece(RICHES)
  const against = riches && piece(AGAINST)
  if (riches && against) found.push(riches, against)
  return found.slice(0, MAX_FOUND)
}
