/* Which company a mail claims to come from, and whose hosts it links to. */

/** Brands that phishing mail impersonates. */
const BRANDS =
  'paypal|apple|icloud|amazon|microsoft|office365|outlook|google|gmail|netflix|dhl|fedex|usps|hermes|sparkasse|volksbank|postbank|commerzbank|deutschebank|comdirect|dkb|wellsfargo|bankofamerica|barclays|hsbc|santander|facebook|instagram|whatsapp|linkedin|ebay|dropbox|docusign|telekom|vodafone|coinbase|binance|klarna|spotify|steam|elster|zoll|hmrc'

const HOST = /https?:\/\/(?:[^\s/@<>"]{1,200}@)?([^\s/:?#<>"')\]]{3,200})/gi
const BRANDED = new RegExp(`(?:^|[.-])(?:${BRANDS})(?:[.-]|$)`)
const OWN = new RegExp(`^(?:${BRANDS})$`)
const NAMED = new RegExp(`(?<![\\p{L}\\d])(?:${BRANDS})(?![\\p{L}\\d])`, 'u')
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
const SECOND_LEVEL = /^(?:co|com|org|net|gov|ac|edu|bund)$/
const FREE_MAIL = /^(?:gmail|googlemail|outlook|hotmail|yahoo|gmx|web|aol|icloud|protonmail)$/

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

/** True for hosts that pretend to belong to a brand. */
export const isForged = (host: string): boolean => isBorrowed(host) || isLookalike(host)

const isNumbers = (host: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)

interface HostLink {
  host: string
  text: string
  offset: number
}

export const findHosts = (text: string): HostLink[] =>
  [...text.matchAll(HOST)].slice(0, 200).map((match) => ({
    host: (match[1] as string).toLowerCase().replace(/\.$/, ''),
    text: match[0],
    offset: match.index,
  }))

export const senderHost = (from: string): string =>
  (from.split('@').at(-1) ?? '').toLowerCase().replace(/[>\s].*$/, '')

/** A brand sends from its own domain and links to it. */
export const isGenuine = (text: string, from: string): boolean => {
  const owner = ownerOf(senderHost(from))
  return OWN.test(owner) && findHosts(text).every(({ host }) => ownerOf(host) === owner)
}

/** Names what the hosts of a mail show. The classifier of mails weighs these marks with its words. */
export const markHosts = (text: string, from: string): string[] => {
  const hosts = findHosts(text)
  const sender = senderHost(from)
  const owner = ownerOf(sender)
  const all = [sender, ...hosts.map(({ host }) => host)]
  const isBrand = [owner, ...hosts.map(({ host }) => ownerOf(host))].some((one) => OWN.test(one))
  const marks = [hosts.length === 0 ? 'no link' : hosts.length === 1 ? 'one link' : 'links']
  if (hosts.length > 0)
    marks.push(hosts.every(({ host }) => ownerOf(host) === owner) ? 'own links' : 'foreign links')
  if (all.some((host) => isForged(host) || isNumbers(host))) marks.push('forged')
  if (NAMED.test(text.toLowerCase())) marks.push(isBrand ? 'brand' : 'brand elsewhere')
  if (FREE_MAIL.test(owner)) marks.push('free mail')
  if (/-/.test(owner)) marks.push('dash')
  return marks
}
