import { readSections } from '../lexicon/sections.ts'
import type { Language } from './words.ts'

/* Facts of a prompt for the sentences of a letter, such as the reason. A fact that the prompt lacks is empty. */

type Facts = Readonly<Record<string, string>>

/** A personal name, with its title. */
export const NAME =
  "((?:(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau)\\.? )?\\p{Lu}\\p{Ll}[\\p{L}'’-]*(?: \\p{Lu}\\p{Ll}[\\p{L}'’-]*)?)"

const capture = (prompt: string, pattern: RegExp): string =>
  (pattern.exec(prompt)?.[1] ?? '').replace(/[\s.,;:!]+$/u, '').trim()

/** Speaks to the recipient instead of about them: "for her help" becomes "for your help". */
const toYou = (text: string): string =>
  text
    .replace(/\b(?:his|her|their)\b(?= \p{L})/giu, 'your')
    .replace(/\b(?:he|she|they) (?:is|are)\b/gi, 'you are')
    .replace(/\b(?:he|she|they) has\b/gi, 'you have')
    .replace(/\b(?:he|she|they) does\b/gi, 'you do')
    .replace(/\b(?:he|she|they)\b/gi, 'you')
    .replace(/\b(?:him|them)\b/gi, 'you')

const END = '(?=(?: (?:and|but|because|since|as i|who|so that)\\b|[.,;!?]|$))'
const REASON = /\b(?:because|since|as) ((?:i|we|my|our|the|there)\b[^.;!?]{2,160})/i

const ANSWERS =
  '(?:declin\\w+|refus\\w+|turn\\w* down|reject\\w*|accept\\w*|say\\w* (?:yes|no) to|agree\\w* to|confirm\\w*)'
const OFFER = new RegExp(
  `${ANSWERS} ((?:an?|the|our|my|your|his|her|their|${NAME}['’]s) [^.,;!?]{2,120}?)${END}`,
  'iu',
)

const BY_NAME = new RegExp(`\\s(?:from|of|by|with) ${NAME}`, 'u')

const DAY =
  /\b((?:on|for) (?:next |this )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|the \d|\d)[^.,;!?]{0,30}?)(?= (?:and|but|because|since|with)\b|[.,;!?]|$)/i
const COMES = /\b(?:i|we)(?: will|'ll) (?:be there|come|attend|join|take part)\b/i
const ABSENT = /\b(?:come|attend|make it|join|be there|take part)\b/i

const readEnglish = (prompt: string): Facts => {
  const take = (pattern: RegExp): string => toYou(capture(prompt, pattern))
  const subject = take(OFFER).replace(BY_NAME, '').replace(/^an? /i, 'the ')
  const reason = capture(prompt, REASON).replace(/^i\b/, 'I')
  const day = capture(prompt, DAY)
  const isAbsent = ABSENT.test(prompt)
  const isInvited = /invit|party|dinner|lunch|wedding|meeting|event|call/i.test(subject)
  const from = capture(prompt, /\bfrom ([^.;!?]{2,60}?)(?= to\b|[.,;!?]|$)/i)
  return {
    about: take(new RegExp(`\\bfor ([^.,;!?]{2,160}?)${END}`, 'iu')),
    // The user writes about themselves.
    reason: reason === '' ? '' : ` because ${reason}`,
    offer: subject.replace(/^the (?=invitation|offer|proposal|request)/i, 'your ') || 'your message',
    coming: COMES.test(prompt) ? `I will be there${day === '' ? '' : ` ${day}`}` : '',
    forDay: /^for /i.test(day) ? ` ${day}` : '',
    refusal:
      isInvited || isAbsent ? `cannot come${isAbsent && day !== '' ? ` ${day}` : ''}` : 'have to decline',
    cancelled: capture(
      prompt,
      /\bcancel\w* (?:my|our|the) ([^.,;!?]{2,60}?)(?= (?:with|because|since|and)\b|[.,;!?]|$)/i,
    ),
    whether: take(/\bask\w*\b[^.]{0,60}? ((?:whether|if|when|where|who|how|what|which) [^.;!?]{2,200})/i),
    action: take(/\bask\w*\b[^.;]{0,60}? to ([^.;!?]{3,200})/i),
    thing: take(
      /\b(?:ask|request)\w*\b(?:[^.;]{0,60}? for)? ((?:the|an?|more|some|his|her|their|our|my) [^.;!?]{2,160})/i,
    ),
    reminder:
      take(/\bremind\w*\b[^.;]{0,60}? ((?:about|of|that) [^.;!?]{2,200})/i) ||
      take(/\b[Rr]emind\w*\b[^.;]{0,60}? (to \p{Ll}[^.;!?]{2,200})/u),
    moved:
      capture(
        prompt,
        /\b(?:reschedul\w+|postpon\w+|mov(?:e|es|ing)|push\w*|shift\w*) ((?:the|our|my|an?|tomorrow's|today's|\w+day's) .{2,80}?)(?= (?:from|to|until|till|with|because|since|on|for|and)\b|[.,;!?]|$)/i,
      ).replace(/^(?:the|my|an?) /i, 'our ') || 'our meeting',
    from: from === '' ? '' : ` from ${from}`,
    to: capture(
      prompt,
      /\b(?:to|until|till) ((?:next |this |the )?(?:\w+day|tomorrow|\d|noon|january|february|march|april|may|june|july|august|september|october|november|december)[^.;!?]{0,60}?)(?= because| since| as i|[.;!?]|$)/i,
    ),
  }
}

const FILE = new URL('../lexicon/letters.txt', import.meta.url)

let loaded: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined

/** "hat" becomes "hast" or "haben". */
const toSecondPerson = (verb: string, you: 'du' | 'Sie'): string => {
  loaded ??= new Map(
    readSections(FILE)
      .filter(({ heading }) => heading.endsWith(' verb'))
      .map(({ heading, phrases }) => [
        heading,
        new Map(phrases.map((phrase) => phrase.split(' ') as [string, string])),
      ]),
  )
  return loaded.get(`${you} verb`)?.get(verb) ?? verb.replace(/t$/, you === 'du' ? 'st' : 'en')
}

/** "ob sie am Freitag Zeit hat" becomes "ob du am Freitag Zeit hast". */
const toGermanYou = (clause: string, you: 'du' | 'Sie'): string =>
  /(?<!\p{L})(?:er|sie)(?!\p{L})/iu.test(clause)
    ? clause
        .replace(/(?<!\p{L})(?:er|sie)(?!\p{L})/iu, you)
        .replace(/(?<!\p{L})(\p{L}+)$/u, (verb) => toSecondPerson(verb, you))
    : clause

const GERMAN_END =
  '(?=(?:,| (?:und|weil|da ich|aber|ab|zu|an|auf|bitten|erinnern|danken|bedanken|absagen|zusagen|verschieben)(?!\\p{L})|[;!?]|(?<!\\d)\\.|\\.(?! \\p{L})|$))'

const readGerman = (prompt: string, recipient: string): Facts => {
  const isPolite = recipient === '' || /^(?:Herr|Frau|Dr|Prof)/.test(recipient)
  const about = capture(prompt, new RegExp(`(?<!\\p{L})für ([^.;!?]{2,160}?)${GERMAN_END}`, 'iu'))
  const reason = capture(prompt, /(?<!\p{L})weil ([^.;!?]{2,160})/iu)
  const subject = capture(
    prompt,
    new RegExp(
      `(?<!\\p{L})((?:die|das|den|meine|eine) (?:Einladung|Angebot|Termin|Anfrage|Vorschlag|Treffen|Teilnahme|Auftrag|Feier|Essen)(?:[^.;!?]|(?<=\\d)\\.(?= \\p{L})){0,100}?)${GERMAN_END}`,
      'u',
    ),
  ).replace(new RegExp(` von ${NAME}`, 'u'), '')
  const your = isPolite ? 'Ihre' : 'deine'
  const whether = capture(prompt, /(?<!\p{L})((?:ob|wann|wo|wer|wie|was|welche[rsn]?) [^.;!?]{2,200})/iu)
  const moved = capture(prompt, /(?<!\p{L})((?:das|den|die|unser\p{L}*|mein\p{L}*) \p{Lu}\p{L}+)/u)
  const from = capture(
    prompt,
    /(?<!\p{L})(?:von|vom) ((?:\p{L}+tag|\d|mittwoch|heute|morgen)[^.;!?]{0,40}?)(?= auf)/iu,
  )
  return {
    about,
    your,
    you: isPolite ? 'Sie' : 'dich',
    toYou: isPolite ? 'Ihnen' : 'dir',
    excuse: isPolite ? 'Bitte entschuldigen Sie' : 'Bitte entschuldige',
    reason: reason === '' ? '' : `, weil ${reason}`,
    offer: subject.replace(/^(?:eine|meine) /, 'die ') || `${your} Nachricht`,
    occasion: subject === '' && about !== '' ? ` für ${about}` : '',
    whether: toGermanYou(whether, isPolite ? 'Sie' : 'du'),
    thing: capture(prompt, new RegExp(`(?<!\\p{L})(?:um|nach) ((?!zu)[^.;!?]{2,160}?)${GERMAN_END}`, 'iu')),
    reminder: capture(
      prompt,
      new RegExp(
        `(?<!\\p{L})an ((?:die|das|den|unser\\p{L}*|mein\\p{L}*|sein\\p{L}*|ihr\\p{L}*) [^.;!?]{2,160}?)${GERMAN_END}`,
        'iu',
      ),
    ),
    moved:
      moved
        .replace(/^(?:das|mein) /, 'unser ')
        .replace(/^(?:den|meinen) /, 'unseren ')
        .replace(/^(?:die|meine) /, 'unsere ') || 'unseren Termin',
    from: from === '' ? '' : ` von ${from}`,
    to: capture(
      prompt,
      /(?<!\p{L})(?:auf|zu) ((?:nächsten? |kommenden? |den )?(?:\p{L}+tag|\d|mittwoch|morgen|übermorgen)[^.;!?]{0,50}?)(?=,| (?:zu )?(?:verschieben|verlegen)| weil|[.;!?]|$)/iu,
    ),
  }
}

export const readFacts = (language: Language, prompt: string, recipient: string): Facts =>
  language === 'de' ? readGerman(prompt, recipient) : readEnglish(prompt)
