/*
 * Writes plain letters from a prompt without a language model: thanks, decline, accept, ask, remind, move a meeting,
 * apology; in English and German. Names, subjects, dates and reasons come from the prompt, nothing is invented. A
 * prompt that asks for anything else gives undefined.
 */

import { identifyLanguage } from '../language.ts'
import { fitLength, readLength } from './length.ts'

export type LetterKind = 'thanks' | 'decline' | 'accept' | 'ask' | 'remind' | 'move' | 'apology'
type Language = 'en' | 'de'

/** Longer prompts ask for more than a plain letter. */
const MAX_PROMPT_LENGTH = 600

/** Other kinds of text. */
const OTHER_TEXT =
  /(?<!\p{L})(?:poems?|essays?|stor(?:y|ies)|songs?|jokes?|articles?|blog|code|function|script|program|python|javascript|sql|regex|recipe|speech|slogan|headline|tweet|list of|table|plan for|summar\p{L}*|translat\p{L}*|explain|rewrite|proofread|correct the|what|why|how (?:do|can|to)|gedicht\p{L}*|aufsatz|geschichte|lied|witz\p{L}*|artikel|rede|programm|rezept|zusammenfass\p{L}*|fasse|übersetz\p{L}*|erkläre?|korrigier\p{L}*|warum|wieso|liste)(?!\p{L})/iu

const WRITING =
  /(?<!\p{L})(?:write|draft|compose|formulate|prepare|e-?mail|mail|note|message|letter|lines?|sentences?|words|reply|respon(?:d|se)|answer|text|tell|let \p{L}+ know|schreib\p{L}*|verfass\p{L}*|formulier\p{L}*|entw[ei]rf\p{L}*|antwort\p{L}*|nachricht|brief|zeilen?|sätze|satz|absage|zusage|dankschreiben|dankesmail)(?!\p{L})/iu

const KINDS: Readonly<Record<Language, readonly (readonly [LetterKind, RegExp])[]>> = {
  en: [
    [
      'move',
      /\b(?:reschedul(?:e|es|ing)|postpon(?:e|es|ing)|(?:mov(?:e|es|ing)|push(?:es|ing)?|shift(?:s|ing)?) (?:the|our|my|a|an|tomorrow's|today's|\w+day's) )/i,
    ],
    [
      'decline',
      /\b(?:declin(?:e|es|ing)|refus(?:e|es|ing)|turn(?:s|ing)? down|say(?:s|ing)? no|reject(?:s|ing)?|refusal|cancel(?:s|ling|ing)? (?:my|our|the)|(?:cannot|can't|can not|won't be able to|am not able to) (?:come|attend|make it|join|be there|take part))\b/i,
    ],
    [
      'accept',
      /\b(?:accept(?:s|ing)?|say(?:s|ing)? yes|agree(?:s|ing)? to|confirm(?:s|ing)?|(?:i|we)(?: will|'ll) (?:be there|come|attend|join|take part))\b/i,
    ],
    ['remind', /\b(?:remind(?:s|ing|er)?)\b/i],
    ['apology', /\b(?:apologi[sz](?:e|es|ing)|apology|say(?:s|ing)? sorry|sorry)\b/i],
    ['thanks', /\b(?:thank(?:s|ing)?|thank-you)\b/i],
    ['ask', /\b(?:ask(?:s|ing)?|request(?:s|ing)?)\b/i],
  ],
  de: [
    ['move', /(?<!\p{L})(?:verschieb\p{L}*|verleg\p{L}*)(?!\p{L})/iu],
    [
      'decline',
      /(?<!\p{L})(?:absag\p{L}*|ablehn\p{L}*|sag[et]? [^.]{1,120} ab(?!\p{L})|nicht (?:kommen|teilnehmen|dabei sein) k[aö]nn\p{L}*|keine zeit habe\p{L}*|lehn[et]? [^.]{1,120} ab(?!\p{L})|nein sag\p{L}*)/iu,
    ],
    [
      'accept',
      /(?<!\p{L})(?:zusag\p{L}*|annehm\p{L}*|zustimm\p{L}*|bestätig\p{L}*|sag[et]? [^.]{1,120} zu(?=[\s.,;!?]*$|, )|nimm [^.]{1,120} an(?!\p{L}))/iu,
    ],
    ['remind', /(?<!\p{L})erinner\p{L}*/iu],
    ['apology', /(?<!\p{L})entschuldig\p{L}*/iu],
    ['thanks', /(?<!\p{L})(?:dank\p{L}*|bedank\p{L}*)/iu],
    [
      'ask',
      /(?<!\p{L})(?:frag\p{L}*|anfrag\p{L}*|nachfrag\p{L}*|bitte \p{L}+ (?:\p{L}+ )?um|(?:um|bittet?) [^.]{1,80} (?:bitte[nt]?|um)|bitten)(?!\p{L})/iu,
    ],
  ],
}

const IN_LANGUAGE: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:in german|auf deutsch|deutsche[nrs]? (?:mail|e-mail|nachricht|brief))\b/i, 'de'],
  [/\b(?:in english|auf englisch|englische[nrs]? (?:mail|e-mail|nachricht|brief))\b/i, 'en'],
]

interface Request {
  kind: LetterKind
  language: Language
  /** For example "Ana", "Mr Weber" or "Frau Koch"; empty if unknown. */
  recipient: string
  /** The prompt without language, length and tone. */
  prompt: string
}

const NAME =
  "((?:(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau)\\.? )?\\p{Lu}\\p{Ll}[\\p{L}'’-]*(?: \\p{Lu}\\p{Ll}[\\p{L}'’-]*)?)"
const TO_NAME = new RegExp(
  `(?<!\\p{L})(?:[Tt]o|[Tt]hank(?:s|ing)?|[Rr]emind(?:s|ing)?|[Aa]sk(?:s|ing)?|[Tt]ell|[Ee]-?mail|[Ww]rite|[Aa]n|[Bb]ei|[Ee]rinnere?|[Ff]rage?|[Ss]age?|[Ll]et|[Bb]estätige|[Kk]annst du|[Kk]önntest du|[Bb]itte|[Ss]chreibe?|[Dd]anke|[Aa]ntworte|[Bb]edanke dich bei|from|von|with|mit) ${NAME}`,
  'u',
)
const NOT_A_NAME =
  /^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Einladung|Angebot|German|English|Deutsch|Englisch|January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Team|Kollegen|Kunden|Hilfe|Termin|Rechnung|Treffen|Mail|Nachricht|Rechnung|Uhr)$/u

const findRecipient = (prompt: string): string => {
  const name = TO_NAME.exec(prompt)?.[1] ?? ''
  return name.split(' ').some((word) => NOT_A_NAME.test(word)) ? '' : name.replace(/^Herrn /, 'Herr ')
}

const STYLE =
  /(?<!\p{L})(?:(?:very |really |sehr )?(?:friendly|polite|formal|warm|nice|kind|professional|casual|freundliche[nrs]?|höfliche[nrs]?|förmliche[nrs]?|nette[nrs]?)(?:,? (?:and |und )?))(?=\p{L})/giu

/** Sentences about oneself are no commands: "I accept cookies". */
const ABOUT_ONESELF = /^(?:i|we|you|ich|wir|du|sie)(?!\p{L})/iu
const MIN_WORDS = 3

/** Openings of a command: courtesies, questions, and verbs that pass a message on. */
const COMMAND =
  /^(?:please |bitte |kindly |(?:can|could|would|will) you |(?:kannst|könntest|würdest) du |(?:tell|let|inform|sag|sage|teile?|richte) (?=\p{L}))/iu

const findKinds = (text: string, language: Language): { kind: LetterKind; index: number }[] =>
  KINDS[language]
    .map(([kind, pattern]) => ({ kind, index: text.search(pattern) }))
    .filter(({ index }) => index >= 0)

/** `prompt` is without the length; `whole` is as the user wrote it. */
const readRequest = (prompt: string, whole: string, system: string): Request | undefined => {
  const text = prompt.replace(/\s+/g, ' ').trim()
  if (text.length > MAX_PROMPT_LENGTH || OTHER_TEXT.test(text)) return undefined
  const named = IN_LANGUAGE.find(([pattern]) => pattern.test(text) || pattern.test(system))?.[1]
  if (ABOUT_ONESELF.test(text) || text.split(' ').length < MIN_WORDS) return undefined
  const isGerman = identifyLanguage(text) === 'de' || findKinds(text, 'en').length === 0
  const written: Language = isGerman ? 'de' : 'en'
  const kinds = findKinds(text, written)
  const [first] = kinds.some(({ kind }) => kind === 'move')
    ? kinds
    : kinds.toSorted((a, b) => a.index - b.index)
  if (!first) return undefined
  const isCommand = first.index < 3 || COMMAND.test(text)
  if (!isCommand && !WRITING.test(whole)) return undefined
  const bare = text
    .replace(/,? ?\b(?:in german|auf deutsch|in english|auf englisch)\b/gi, '')
    .replace(STYLE, '')
  const request = { kind: first.kind, language: written, recipient: findRecipient(bare), prompt: bare }
  if (named === undefined || named === written) return request
  // The parts are copied from the prompt, so only a letter without them can be in another language.
  const isPlain = String(sentencesFor(request)) === String(sentencesFor({ ...request, prompt: '' }))
  return isPlain ? { ...request, language: named, prompt: '' } : undefined
}

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

/** Ends a reason with the first person: the user writes about themselves. */
const reasonOf = (prompt: string): string => {
  const reason = capture(prompt, REASON)
  return reason === '' ? '' : ` because ${reason.replace(/^i\b/, 'I')}`
}

const englishSubject = (prompt: string, verb: string): string =>
  capture(
    prompt,
    new RegExp(`${verb} ((?:an?|the|our|my|your|his|her|their|${NAME}['’]s) [^.,;!?]{2,120}?)${END}`, 'iu'),
  )

const BY_NAME = new RegExp(`\\s(?:from|of|by|with) ${NAME}`, 'u')

const DAY =
  /\b((?:on|for) (?:next |this )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|the \d|\d)[^.,;!?]{0,30}?)(?= (?:and|but|because|since|with)\b|[.,;!?]|$)/i
const COMES = /\b(?:i|we)(?: will|'ll) (?:be there|come|attend|join|take part)\b/i
const ABSENT = /\b(?:come|attend|make it|join|be there|take part)\b/i

const englishSentences = ({ kind, prompt }: Request): string[] | undefined => {
  const about = toYou(capture(prompt, new RegExp(`\\bfor ([^.,;!?]{2,160}?)${END}`, 'iu')))
  switch (kind) {
    case 'thanks':
      return [`Thank you very much for ${about || 'everything'}.`, 'I really appreciate it.']
    case 'decline':
    case 'accept': {
      const verb =
        kind === 'decline'
          ? '(?:declin\\w+|refus\\w+|turn\\w* down|say\\w* no to|reject\\w*)'
          : '(?:accept\\w*|say\\w* yes to|agree\\w* to|confirm\\w*)'
      const subject = toYou(englishSubject(prompt, verb)).replace(BY_NAME, '').replace(/^an? /i, 'the ')
      const thanks = `Thank you for ${subject.replace(/^the (?=invitation|offer|proposal|request)/i, 'your ') || 'your message'}.`
      const day = capture(prompt, DAY)
      const cancelled = capture(
        prompt,
        /\bcancel\w* (?:my|our|the) ([^.,;!?]{2,60}?)(?= (?:with|because|since|and)\b|[.,;!?]|$)/i,
      )
      if (cancelled !== '')
        return [
          `Unfortunately I have to cancel our ${cancelled}${reasonOf(prompt)}.`,
          'I am sorry for the inconvenience.',
        ]
      if (kind === 'accept' && COMES.test(prompt))
        return [
          subject === '' ? 'Thank you for your message.' : thanks,
          `I will be there${day === '' ? '' : ` ${day}`}.`,
          'I look forward to it.',
        ]
      return kind === 'accept'
        ? [thanks, `I am happy to accept${/^for /i.test(day) ? ` ${day}` : ''}.`, 'I look forward to it.']
        : [
            thanks,
            `Unfortunately I ${/invit|party|dinner|lunch|wedding|meeting|event|call/i.test(subject) || ABSENT.test(prompt) ? `cannot come${ABSENT.test(prompt) && day !== '' ? ` ${day}` : ''}` : 'have to decline'}${reasonOf(prompt)}.`,
            'I hope there will be another opportunity.',
          ]
    }
    case 'ask': {
      const [whether, thing, action] = [
        capture(
          prompt,
          /\bask\w*\b[^.]{0,60}? ((?:whether|if|when|where|who|how|what|which) [^.;!?]{2,200})/i,
        ),
        capture(
          prompt,
          /\b(?:ask|request)\w*\b(?:[^.;]{0,60}? for)? ((?:the|an?|more|some|his|her|their|our|my) [^.;!?]{2,160})/i,
        ),
        capture(prompt, /\bask\w*\b[^.;]{0,60}? to ([^.;!?]{3,200})/i),
      ]
      if (whether !== '') return [`Could you let me know ${toYou(whether)}?`, 'Thank you in advance.']
      if (action !== '') return [`Could you please ${toYou(action)}?`, 'Thank you in advance.']
      return thing === '' ? undefined : [`Could you please send me ${toYou(thing)}?`, 'Thank you in advance.']
    }
    case 'remind': {
      const about =
        capture(prompt, /\bremind\w*\b[^.;]{0,60}? ((?:about|of|that) [^.;!?]{2,200})/i) ||
        capture(prompt, /\b[Rr]emind\w*\b[^.;]{0,60}? (to \p{Ll}[^.;!?]{2,200})/u)
      if (about === '') return undefined
      return [
        `This is a friendly reminder ${toYou(about)}.`,
        'Please let me know if you need anything from me.',
      ]
    }
    case 'move':
      return movedEnglish(prompt)
    case 'apology':
      return [`I am sorry for ${about || 'the inconvenience'}.`, 'Please accept my apologies.']
  }
}

const movedEnglish = (prompt: string): string[] => {
  const subject = capture(
    prompt,
    /\b(?:reschedul\w+|postpon\w+|mov(?:e|es|ing)|push\w*|shift\w*) ((?:the|our|my|an?|tomorrow's|today's|\w+day's) .{2,80}?)(?= (?:from|to|until|till|with|because|since|on|for|and)\b|[.,;!?]|$)/i,
  ).replace(/^(?:the|my|an?) /i, 'our ')
  const [from, to] = [
    capture(prompt, /\bfrom ([^.;!?]{2,60}?)(?= to\b|[.,;!?]|$)/i),
    capture(
      prompt,
      /\b(?:to|until|till) ((?:next |this |the )?(?:\w+day|tomorrow|\d|noon|january|february|march|april|may|june|july|august|september|october|november|december)[^.;!?]{0,60}?)(?= because| since| as i|[.;!?]|$)/i,
    ),
  ]
  return [
    `Unfortunately I have to move ${subject || 'our meeting'}${from === '' ? '' : ` from ${from}`}${reasonOf(prompt)}.`,
    to === '' ? 'Which time would suit you instead?' : `Would ${to} suit you instead?`,
    'I am sorry for the inconvenience.',
  ]
}

interface GermanForm {
  you: string
  toYou: string
  verb: (third: string) => string
}

const SECOND_PERSON: Readonly<Record<string, string>> = {
  hat: 'hast',
  ist: 'bist',
  wird: 'wirst',
  kann: 'kannst',
  will: 'willst',
  mag: 'magst',
  muss: 'musst',
  weiß: 'weißt',
  könnte: 'könntest',
  möchte: 'möchtest',
  hätte: 'hättest',
  würde: 'würdest',
}
const PLURAL: Readonly<Record<string, string>> = {
  hat: 'haben',
  ist: 'sind',
  wird: 'werden',
  kann: 'können',
  mag: 'mögen',
  muss: 'müssen',
  weiß: 'wissen',
  könnte: 'könnten',
  möchte: 'möchten',
  hätte: 'hätten',
  würde: 'würden',
}

const DU: GermanForm = {
  you: 'du',
  toYou: 'dich',
  verb: (third) => SECOND_PERSON[third] ?? third.replace(/t$/, 'st'),
}
const SIE: GermanForm = {
  you: 'Sie',
  toYou: 'Sie',
  verb: (third) => PLURAL[third] ?? third.replace(/t$/, 'en'),
}

/** "ob sie am Freitag Zeit hat" becomes "ob du am Freitag Zeit hast". */
const toGermanYou = (clause: string, form: GermanForm): string =>
  /(?<!\p{L})(?:er|sie)(?!\p{L})/iu.test(clause)
    ? clause
        .replace(/(?<!\p{L})(?:er|sie)(?!\p{L})/iu, form.you)
        .replace(/(?<!\p{L})(\p{L}+)$/u, (verb) => form.verb(verb))
    : clause

const GERMAN_END =
  '(?=(?:,| (?:und|weil|da ich|aber|ab|zu|an|auf|bitten|erinnern|danken|bedanken|absagen|zusagen|verschieben)(?!\\p{L})|[;!?]|(?<!\\d)\\.|\\.(?! \\p{L})|$))'

const germanSentences = ({ kind, prompt, recipient }: Request): string[] | undefined => {
  const form = recipient === '' || /^(?:Herr|Frau|Dr|Prof)/.test(recipient) ? SIE : DU
  const about = capture(prompt, new RegExp(`(?<!\\p{L})für ([^.;!?]{2,160}?)${GERMAN_END}`, 'iu'))
  const because = capture(prompt, /(?<!\p{L})weil ([^.;!?]{2,160})/iu)
  const reason = because === '' ? '' : `, weil ${because}`
  switch (kind) {
    case 'thanks':
      return [
        `vielen Dank für ${about || (form === DU ? 'deine Hilfe' : 'Ihre Hilfe')}.`,
        'Ich habe mich sehr gefreut.',
      ]
    case 'decline':
    case 'accept': {
      const subject = capture(
        prompt,
        new RegExp(
          `(?<!\\p{L})((?:die|das|den|meine|eine) (?:Einladung|Angebot|Termin|Anfrage|Vorschlag|Treffen|Teilnahme|Auftrag|Feier|Essen)(?:[^.;!?]|(?<=\\d)\\.(?= \\p{L})){0,100}?)${GERMAN_END}`,
          'u',
        ),
      ).replace(new RegExp(` von ${NAME}`, 'u'), '')
      const thanks = `vielen Dank für ${subject.replace(/^(?:eine|meine) /, 'die ') || (form === DU ? 'deine Nachricht' : 'Ihre Nachricht')}.`
      const occasion = subject === '' && about !== '' ? ` für ${about}` : ''
      return kind === 'accept'
        ? [thanks, `Ich sage gern${occasion} zu.`, 'Ich freue mich darauf.']
        : [thanks, `Leider muss ich${occasion} absagen${reason}.`, 'Vielleicht klappt es ein anderes Mal.']
    }
    case 'ask': {
      const clause = capture(prompt, /(?<!\p{L})((?:ob|wann|wo|wer|wie|was|welche[rsn]?) [^.;!?]{2,200})/iu)
      const thing = capture(
        prompt,
        new RegExp(`(?<!\\p{L})(?:um|nach) ((?!zu)[^.;!?]{2,160}?)${GERMAN_END}`, 'iu'),
      )
      if (clause !== '') return [`ich wollte fragen, ${toGermanYou(clause, form)}.`, 'Vielen Dank im Voraus.']
      return thing === ''
        ? undefined
        : [`ich möchte ${form.toYou} um ${thing} bitten.`, 'Vielen Dank im Voraus.']
    }
    case 'remind': {
      const thing = capture(
        prompt,
        new RegExp(
          `(?<!\\p{L})an ((?:die|das|den|unser\\p{L}*|mein\\p{L}*|sein\\p{L}*|ihr\\p{L}*) [^.;!?]{2,160}?)${GERMAN_END}`,
          'iu',
        ),
      )
      return thing === '' ? undefined : [`ich möchte ${form.toYou} an ${thing} erinnern.`, 'Vielen Dank.']
    }
    case 'move': {
      const subject = capture(prompt, /(?<!\p{L})((?:das|den|die|unser\p{L}*|mein\p{L}*) \p{Lu}\p{L}+)/u)
      const [from, to] = [
        capture(
          prompt,
          /(?<!\p{L})(?:von|vom) ((?:\p{L}+tag|\d|mittwoch|heute|morgen)[^.;!?]{0,40}?)(?= auf)/iu,
        ),
        capture(
          prompt,
          /(?<!\p{L})(?:auf|zu) ((?:nächsten? |kommenden? |den )?(?:\p{L}+tag|\d|mittwoch|morgen|übermorgen)[^.;!?]{0,50}?)(?=,| (?:zu )?(?:verschieben|verlegen)| weil|[.;!?]|$)/iu,
        ),
      ]
      const what = subject
        .replace(/^(?:das|mein) /, 'unser ')
        .replace(/^(?:den|meinen) /, 'unseren ')
        .replace(/^(?:die|meine) /, 'unsere ')
      return [
        `leider muss ich ${what || 'unseren Termin'}${from === '' ? '' : ` von ${from}`} verschieben${reason}.`,
        to === ''
          ? `Wann würde es ${form === DU ? 'dir' : 'Ihnen'} stattdessen passen?`
          : `Passt ${form === DU ? 'dir' : 'Ihnen'} stattdessen ${to}?`,
        `Bitte entschuldige${form === DU ? '' : 'n Sie'} die Umstände.`,
      ]
    }
    case 'apology':
      return [`ich bitte um Entschuldigung für ${about || 'die Unannehmlichkeiten'}.`, 'Es tut mir leid.']
  }
}

const GREETINGS: Readonly<Record<Language, (recipient: string) => string>> = {
  en: (recipient) =>
    recipient === ''
      ? 'Hello,'
      : /^(?:Mr|Mrs|Ms|Dr|Prof)/.test(recipient)
        ? `Dear ${recipient},`
        : `Hi ${recipient.split(' ')[0]},`,
  de: (recipient) =>
    recipient === ''
      ? 'Guten Tag,'
      : /^(?:Herr|Frau|Dr|Prof)/.test(recipient)
        ? `Guten Tag ${recipient},`
        : `Hallo ${recipient.split(' ')[0]},`,
}
const CLOSINGS: Readonly<Record<Language, string>> = { en: 'Best regards', de: 'Viele Grüße' }
const PLACEHOLDERS: Readonly<Record<Language, string>> = { en: '[your name]', de: '[dein Name]' }
const SIGNED =
  /(?<!\p{L})(?:sign(?:ed)? (?:it )?(?:as|with|by)|from me,|unterschreibe? mit|unterschrieben mit|gezeichnet) (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

const sentencesFor = (request: Request): string[] | undefined =>
  request.language === 'de' ? germanSentences(request) : englishSentences(request)

/** Writes a plain letter, or returns undefined if the prompt asks for something else. */
export const writeLetter = (
  prompt: string,
  system = '',
): { kind: LetterKind; language: Language; text: string } | undefined => {
  const { instructions, limit } = readLength(
    prompt
      .slice(0, MAX_PROMPT_LENGTH + 1)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  if (prompt.trim().length > MAX_PROMPT_LENGTH) return undefined
  const request = readRequest(instructions, prompt, system)
  const sentences = request && sentencesFor(request)
  if (!request || !sentences) return undefined
  const { kind, language, recipient } = request
  const isBare = limit.sentences !== undefined && recipient === ''
  // German goes on in lower case after the greeting.
  const points = sentences.map((sentence, index) =>
    index === 0 && !isBare && language === 'de' ? sentence : capitalize(sentence),
  )
  if (isBare) return { kind, language, text: points.slice(0, limit.sentences).join(' ') }
  const name = SIGNED.exec(prompt)?.[1] ?? PLACEHOLDERS[language]
  const kept = limit.sentences === undefined ? points : points.slice(0, limit.sentences)
  const parts = {
    greeting: GREETINGS[language](recipient),
    thanks: '',
    closing: `${CLOSINGS[language]}${language === 'en' ? ',' : ''}\n${name}`,
  }
  for (let count = kept.length; count > 1; count--) {
    const text = fitLength({ ...parts, points: [kept.slice(0, count).join(' ')] }, {})
    if (limit.words === undefined || text.split(/\s+/).length <= limit.words) return { kind, language, text }
  }
  return { kind, language, text: fitLength({ ...parts, points: kept.slice(0, 1) }, {}) }
}
