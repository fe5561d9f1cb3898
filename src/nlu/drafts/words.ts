export type Language = 'en' | 'de'
export type Tone = 'formal' | 'friendly' | 'brief'

/** The phrases of a reply. Brackets mark placeholders that the user fills in. */
export interface Words {
  hello(name: string): string
  thanks(date: string): string
  question(words: string): string
  request(words: string): string
  fits(times: readonly string[]): string
  fitsNot(count: number): string
  /** Proposes times within the limits that the writer named. */
  suggest(times: readonly string[]): string
  /** Asks back about a time that could be read in two ways. */
  confirm(words: string, time: string): string
  slots: string
  noSlots: string
  zone(name: string): string
  yourTime(clock: string): string
  accept: string
  decline: string
  answer: string
  reply: string
  handling: string
  me: string
  close: string
}

const list = (items: readonly string[], and: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`

const ENGLISH: Words = {
  hello: (name) => (name === '' ? 'Hello,' : `Hi ${name},`),
  thanks: () => 'Thanks for your message.',
  question: (words) => `You asked: “${words}”`,
  request: (words) => `You wrote: “${words}”`,
  fits: (times) => `${list(times, 'or')} works for me.`,
  fitsNot: (count) => `I am afraid I am not free at the time${count > 1 ? 's' : ''} you suggest.`,
  suggest: (times) => `How about ${list(times, 'or')}?`,
  confirm: (words, time) => `You wrote “${words}”. Do you mean ${time}?`,
  slots: 'Would one of these times suit you?',
  noSlots: 'When would suit you? [times when you are free]',
  yourTime: (clock) => `${clock} your time`,
  zone: (name) => `(Times are in ${name}.)`,
  accept: 'Yes, gladly.',
  decline: 'I am afraid I have to say no. [reason, if you want to give one]',
  answer: '[your answer]',
  reply: '[your reply]',
  handling: '[whether and when you will do this]',
  me: '[your name]',
  close: 'Best,',
}

const ENGLISH_FORMAL: Words = {
  ...ENGLISH,
  hello: (name) => (name === '' ? 'Hello,' : `Dear ${name},`),
  thanks: (date) => `Thank you for your message of ${date}.`,
  question: (words) => `Regarding your question “${words}”:`,
  request: (words) => `Regarding your request “${words}”:`,
  fits: (times) => `${list(times, 'or')} would suit me well.`,
  fitsNot: (count) => `Unfortunately I am not available at the time${count > 1 ? 's' : ''} you suggest.`,
  slots: 'Would one of the following times be convenient for you?',
  accept: 'I am happy to confirm.',
  decline: 'Unfortunately I have to decline. [reason, if you want to give one]',
  close: 'Kind regards,',
}

const ENGLISH_BRIEF: Words = {
  ...ENGLISH,
  thanks: () => '',
  question: (words) => `> ${words}`,
  request: (words) => `> ${words}`,
  fitsNot: (count) => (count > 1 ? 'Those times do not work for me.' : 'That time does not work for me.'),
  slots: 'I could do:',
  accept: 'Yes.',
  decline: 'No, sorry. [reason, if you want to give one]',
  close: '',
}

const GERMAN_DU: Words = {
  hello: (name) => (name === '' ? 'Hallo,' : `Hallo ${name},`),
  thanks: () => 'danke für deine Nachricht.',
  question: (words) => `Du fragst: „${words}“`,
  request: (words) => `Du schreibst: „${words}“`,
  fits: (times) => `${list(times, 'oder')} passt mir gut.`,
  fitsNot: (count) =>
    `Zu ${count > 1 ? 'den vorgeschlagenen Zeiten' : 'der vorgeschlagenen Zeit'} kann ich leider nicht.`,
  suggest: (times) => `Wie wäre es mit ${list(times, 'oder')}?`,
  confirm: (words, time) => `Du schreibst „${words}“. Meinst du ${time}?`,
  yourTime: (clock) => `${clock} Uhr deiner Zeit`,
  slots: 'Würde dir einer dieser Termine passen?',
  noSlots: 'Wann würde es dir passen? [Zeiten, zu denen du kannst]',
  zone: (name) => `(Alle Zeiten in ${name}.)`,
  accept: 'Ja, sehr gern.',
  decline: 'Leider muss ich absagen. [Grund, wenn du einen nennen willst]',
  answer: '[deine Antwort]',
  reply: '[deine Antwort]',
  handling: '[ob und bis wann du das erledigst]',
  me: '[dein Name]',
  close: 'Viele Grüße',
}

const GERMAN_SIE: Words = {
  ...GERMAN_DU,
  hello: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  thanks: () => 'vielen Dank für Ihre Nachricht.',
  question: (words) => `Sie fragen: „${words}“`,
  request: (words) => `Sie schreiben: „${words}“`,
  confirm: (words, time) => `Sie schreiben „${words}“. Meinen Sie ${time}?`,
  yourTime: (clock) => `${clock} Uhr Ihrer Zeit`,
  slots: 'Würde Ihnen einer dieser Termine passen?',
  noSlots: 'Wann würde es Ihnen passen? [Zeiten, zu denen du kannst]',
}

const GERMAN_FORMAL: Words = {
  ...GERMAN_SIE,
  thanks: (date) => `vielen Dank für Ihre Nachricht vom ${date}.`,
  question: (words) => `Zu Ihrer Frage „${words}“:`,
  request: (words) => `Zu Ihrem Anliegen „${words}“:`,
  fits: (times) => `${list(times, 'oder')} würde mir gut passen.`,
  fitsNot: (count) =>
    `Zu ${count > 1 ? 'den vorgeschlagenen Zeiten' : 'der vorgeschlagenen Zeit'} bin ich leider verhindert.`,
  slots: 'Wäre Ihnen einer der folgenden Termine recht?',
  accept: 'Das bestätige ich Ihnen gern.',
  close: 'Mit freundlichen Grüßen',
}

const germanBrief = (words: Words): Words => ({
  ...words,
  thanks: () => '',
  question: (text) => `> ${text}`,
  request: (text) => `> ${text}`,
  fitsNot: () => 'Da kann ich leider nicht.',
  slots: 'Möglich wäre:',
  accept: 'Ja.',
  decline: 'Leider nein. [Grund, wenn du einen nennen willst]',
  close: '',
})

/** `familiar` selects the German "du" instead of "Sie". */
export const wordsFor = (language: Language, tone: Tone, familiar: boolean): Words => {
  if (language === 'en')
    return tone === 'formal' ? ENGLISH_FORMAL : tone === 'brief' ? ENGLISH_BRIEF : ENGLISH
  if (tone === 'formal') return GERMAN_FORMAL
  const words = familiar ? GERMAN_DU : GERMAN_SIE
  return tone === 'brief' ? germanBrief(words) : words
}
