import { smallOf } from '../lower-case.ts'

export type Category =
  | 'conversation'
  | 'meeting'
  | 'newsletter'
  | 'receipt'
  | 'shipping'
  | 'notification'
  | 'security'
  | 'auto-reply'
  | 'bounce'

export interface MailFacts {
  subject: string
  /** Email address of the sender, "" if unknown. */
  from: string
  text: string
  /** Header names are in lower case. */
  headers?: Readonly<Record<string, string>>
}

interface Kind {
  category: Category
  /** Each matching pattern adds its weight. */
  subject?: readonly (readonly [RegExp, number])[]
  from?: readonly (readonly [RegExp, number])[]
  /** Matched against lower-case text. */
  text?: readonly (readonly [RegExp, number])[]
}

const KINDS: readonly Kind[] = [
  {
    category: 'bounce',
    subject: [
      [
        /undeliver(?:ed|able)|delivery (?:status notification|failure|has failed|incomplete)|mail delivery (?:failed|subsystem)|returned mail|failure notice|unzustellbar|nicht zugestellt|zustellung fehlgeschlagen/i,
        3,
      ],
    ],
    from: [[/^(?:mailer-daemon|postmaster)@/i, 3]],
    text: [
      [
        /could ?n[o']t be delivered|was not delivered|delivery to the following recipients? failed|permanent(?:ly)? (?:error|failed)|user unknown|mailbox (?:full|unavailable)|konnte nicht zugestellt werden/,
        2,
      ],
      [/\b[45]\d\d[ -][45]\.\d\.\d\b/, 1],
    ],
  },
  {
    category: 'auto-reply',
    subject: [
      [
        /^(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|automatische antwort|abwesenheit(?:snotiz)?|abwesend)\b|\bout of office\b/i,
        3,
      ],
    ],
    text: [
      [
        /\bi am (?:currently )?(?:out of (?:the )?office|on (?:vacation|leave|holiday))|i will be out of (?:the )?office (?:from|until|starting)|limited access to (?:my )?e-?mail|ich bin (?:derzeit|aktuell|bis|vom) .{0,40}(?:nicht im (?:büro|haus)|im urlaub|abwesend)|thank you for (?:your (?:e-?mail|message)|contacting us).{0,120}(?:will (?:respond|reply|get back)|business days)/s,
        2.5,
      ],
    ],
  },
  {
    category: 'security',
    subject: [
      [
        /\b(?:verification|security|one[- ]time|login|sign[- ]in|confirmation) code\b|\bpassword (?:reset|changed)|reset your password|new (?:sign|log)[- ]in|unusual (?:activity|sign)|two[- ]factor|verify your (?:email|account)|passwort (?:zurücksetzen|geändert)|bestätigungscode|sicherheitswarnung/i,
        3,
      ],
    ],
    text: [
      [
        /\b(?:your|the) (?:verification|security|one[- ]time|login|confirmation) (?:code|password) is\b|\bif (?:this was(?:n't| not) you|you did not (?:request|make))|reset your password|dein (?:code|passwort) lautet|ihr bestätigungscode/,
        2,
      ],
    ],
  },
  {
    category: 'receipt',
    subject: [
      [
        /\b(?:invoice|receipt|payment|order confirmation|your order|billing|statement|refund|rechnung|quittung|zahlung|bestellbestätigung|ihre bestellung|kontoauszug|gutschrift)\b/i,
        2,
      ],
    ],
    text: [
      [
        /\b(?:invoice (?:no|number|#)|order (?:total|number|no|#)|amount (?:due|paid)|sub ?total|grand total|payment (?:received|method|due)|vat|rechnungs(?:nummer|betrag)|gesamtbetrag|zahlbar|mwst|bestellnummer)\b/,
        1.5,
      ],
      [/(?:total|amount|betrag|summe)[^\n]{0,30}(?:[$€£]\s?\d|\d[\d.,]*\s?(?:eur|usd|gbp|€))/, 1],
    ],
  },
  {
    category: 'shipping',
    subject: [
      [
        /\b(?:shipped|has shipped|dispatched|out for delivery|delivered|on its way|tracking|your package|your parcel|versendet|versandt|verschickt|versandbestätigung|sendung|paket|zugestellt|unterwegs)\b/i,
        2.5,
      ],
    ],
    text: [
      [
        /\b(?:tracking (?:number|no|id)|track your (?:package|order|shipment)|out for delivery|estimated delivery|expected (?:to arrive|delivery)|sendungs(?:nummer|verfolgung)|voraussichtliche (?:lieferung|zustellung))\b/,
        2,
      ],
    ],
  },
  {
    category: 'newsletter',
    subject: [
      [
        /\b(?:newsletter|weekly|digest|% off|sale|deal|webinar|this week|edition|new arrivals|angebot|rabatt|ausgabe)\b/i,
        1,
      ],
    ],
    from: [[/^(?:news|newsletter|marketing|hello|info|offers|deals|updates|digest)@/i, 1]],
    text: [
      [
        /\bunsubscribe\b|\bmanage (?:your )?(?:preferences|subscription)|view (?:this (?:e-?mail )?)?(?:in (?:your )?browser|online)|you(?:'re| are) receiving this|update your preferences|newsletter (?:abbestellen|abmelden)|abmelden|im browser (?:ansehen|öffnen)/,
        2,
      ],
      [
        /\b(?:shop now|limited time|% off|free shipping|read more|learn more|sign up (?:now|today)|jetzt (?:kaufen|sichern|entdecken))\b/,
        1,
      ],
    ],
  },
  {
    category: 'notification',
    subject: [
      [
        /^\[[^\]]{1,40}\]|\b(?:notification|alert|reminder:|commented|mentioned you|assigned|(?:your )?(?:ticket|request|case) .{0,30}(?:updated|resolved|closed|received)|build (?:failed|passed)|merged|new (?:comment|message|follower)|benachrichtigung|erinnerung)\b/i,
        1.5,
      ],
    ],
    from: [
      [
        /^(?:no-?reply|do-?not-?reply|notifications?|alerts?|system|bot|builds?|jira|github|gitlab)[@+.-]|noreply@/i,
        2,
      ],
    ],
    text: [
      [
        /\b(?:this is an automated|automatically generated|do not reply to this (?:e-?mail|message)|type your reply above this line|diese e-?mail wurde automatisch|bitte antworten sie nicht)\b/,
        1.5,
      ],
    ],
  },
  {
    category: 'meeting',
    subject: [
      [
        /^(?:(?:re|aw|fwd?|wg):\s*)*(?:invitation|invite|updated invitation|accepted|declined|tentative|cancel(?:led|ed)|einladung|zugesagt|abgesagt|abgelehnt|terminänderung)\s?:/i,
        3,
      ],
    ],
    text: [[/\bwhen:\s|\bjoin (?:zoom|the) meeting|microsoft teams meeting|invited you to/, 1]],
  },
]

const worth = (text: string, patterns: readonly (readonly [RegExp, number])[] | undefined): number =>
  (patterns ?? []).reduce((sum, [pattern, value]) => sum + (pattern.test(text) ? value : 0), 0)

/** Categories whose typical words also occur in personal mail. */
const WRITTEN_ALIKE: ReadonlySet<Category> = new Set(['receipt', 'shipping', 'newsletter', 'notification'])
const TO_A_PERSON =
  /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|sehr geehrter? (?:frau|herr)|guten (?:tag|morgen|abend) (?:frau|herr))\s+(?!(?:customer|client|user|member|subscriber|kund|mitglied|damen|there|all|team)\p{L}*)[\p{L}.'’ -]{1,40}[,!]/u
const isPersonal = (text: string): boolean => TO_A_PERSON.test(text) && /\?|\bplease\b|\bbitte\b/.test(text)

/** Below this score a mail is personal. */
const ENOUGH = 2

export const categoryOf = ({
  subject,
  from,
  text,
  headers = {},
}: MailFacts): { category: Category; confidence: number } => {
  const start = smallOf(text.slice(0, 8000))
  const scores = KINDS.map(({ category, ...kind }) => {
    const worded = worth(start, kind.text)
    const identified = worth(subject, kind.subject) + worth(from, kind.from) + fromHeaders(category, headers)
    return { category, worded, score: identified + worded }
  })
  const found = scores.reduce((a, b) => (b.score > a.score ? b : a))
  const best =
    WRITTEN_ALIKE.has(found.category) && found.score < 3 && found.worded === found.score && isPersonal(start)
      ? { ...found, score: 0 }
      : found
  if (best.score < ENOUGH)
    return { category: 'conversation', confidence: Math.round((0.9 - best.score * 0.2) * 100) / 100 }
  return {
    category: best.category,
    confidence: Math.min(0.98, Math.round((0.5 + best.score * 0.12) * 100) / 100),
  }
}

/** RFC 3834 and RFC 8058 define headers that identify automated mail. */
const fromHeaders = (category: Category, headers: Readonly<Record<string, string>>): number => {
  const auto = headers['auto-submitted']?.toLowerCase() ?? ''
  if (category === 'auto-reply') return auto.startsWith('auto-replied') || headers['x-autoreply'] ? 3 : 0
  if (category === 'notification') return auto.startsWith('auto-generated') ? 1.5 : 0
  if (category === 'newsletter') return headers['list-unsubscribe'] ? 1.5 : 0
  if (category === 'bounce') return headers['x-failed-recipients'] ? 3 : 0
  return 0
}

/** Phrases of sales mail to strangers. Two of them make it advertising. */
const SALES: readonly RegExp[] = [
  /\b(?:we|our (?:team|platform|solution|software|agency|tool|clients?)|i) (?:help(?:s|ed)?|enables?|empowers?|speciali[sz]es? in|have helped) (?:\w+ ){0,3}(?:companies|businesses|teams|brands|firms|startups|agencies|clients|organizations)\b|\bcompanies like yours\b|\bunternehmen wie (?:ihre[sm]?|deine[sm]?)\b|\bwir (?:helfen|unterstützen) (?:\S+ ){0,3}unternehmen\b/,
  /\b(?:came across|stumbled (?:up)?on|noticed|checked out|looked at|found) your (?:website|company|profile|business|site|linkedin)\b|\b(?:bin auf|habe) ihre (?:website|webseite|seite|firma)\b/,
  /\b(?:(?:double|triple|boost|increase|grow|skyrocket|scale|cut|reduce) (?:your|their|sales)|more leads|qualified leads|roi|ai-powered|seo|outreach|backlinks|first page of google|mehr (?:kunden|umsatz|leads)|neukundengewinnung|umsatz steigern)\b/,
  /\b(?:open to|up for|interested in|free for|worth) an? (?:quick |short |brief )?(?:\d+[- ]min(?:ute)?s? )?(?:call|chat|demo|intro|conversation)\b|\b(?:book|schedule) an? (?:free )?(?:demo|consultation)\b|\b(?:kostenlose[ns]?|unverbindliche[ns]?) (?:beratung|erstgespräch|demo|angebot)\b/,
  /\b(?:won't reach out again|not (?:interested|for you), just|opt out|reply (?:with )?stop|unsubscribe|abmelden|keine weiteren (?:mails|e-mails))\b/,
  /\b(?:\d{1,2} ?% (?:off|discount|rabatt)|limited[- ]time|special offer|exclusive (?:offer|deal)|free trial|sonderangebot|jetzt (?:kaufen|sichern|bestellen|testen)|nur (?:noch )?heute|shop now|buy now|order now|win (?:one|a) )\b/,
]
const MIN_SALES = 2

/** True for newsletters and for sales mail to strangers. */
export const isAdvertising = (text: string, category: Category): boolean => {
  if (category === 'newsletter') return true
  if (category !== 'conversation' && category !== 'meeting') return false
  const small = smallOf(text.slice(0, 8000))
  return SALES.filter((pattern) => pattern.test(small)).length >= MIN_SALES
}

/** True for categories to which nobody expects an answer. */
export const isMachine = (category: Category): boolean =>
  category !== 'conversation' && category !== 'meeting'
