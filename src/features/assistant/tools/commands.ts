/** Patterns of whole words, and of the stems of German verbs. */
interface Verbs {
  words: readonly string[]
  stems?: readonly string[]
}

const GERMAN_PREFIX = '(?:ab|an|auf|aus|bei|ein|fest|frei|her|hin|hinzu|nach|um|vor|weg|zu|zurück)?(?:zu)?'
const GERMAN_ENDING = '(?:e|en|n|st|t|et)?'

/** Matches the verbs of a command. `readCommands` tells whether a verb is one in a sentence. */
export const says = ({ words, stems = [] }: Verbs): RegExp => {
  const german = stems.length > 0 ? [`${GERMAN_PREFIX}(?:${stems.join('|')})${GERMAN_ENDING}`] : []
  return new RegExp(`(?<!\\p{L})(?:${[...words, ...german].join('|')})(?!\\p{L})`, 'giu')
}

/** A verb that means the change only together with other words of its sentence: "mark … as read", "leg … ab". */
export const near = (verb: string, words: string): string =>
  `(?:${verb})(?:(?=.*(?<!\\p{L})(?:${words}))|(?<=(?<!\\p{L})(?:${words}).*))`

/** Double quotation marks, and single ones that are no apostrophes. */
const QUOTED = /[“„"«»][^“”„"«»]*[”“"«»]|(?<![\p{L}\p{N}])['‘‚][^'’‘‚]{2,}['’‘](?![\p{L}\p{N}])/gu
/** "Reply to Ana: …" dictates, and "the email from Ana: …" names a subject. Times such as 10:30 have no space. */
const DICTATED = /:\s[^\n]*/gu
const SENTENCE_END = /(?<=[.!?…])\s+|\n+/u
/** Longer sentences are pasted text, and the patterns of verbs take quadratic time. */
const MAX_SENTENCE_LENGTH = 500

const POLITE = 'please|kindly|bitte|hey|hi|hello|hallo|ok(?:ay)?'
const POLITE_QUESTION =
  /(?<!\p{L})(?:(?:can|could|would|will) you|(?:kannst|könntest|würdest|magst) du)(?!\p{L})/iu
const QUESTION_START = new RegExp(
  `^(?:(?:${POLITE}|and|und)[\\s,]+)*(?:what|who|whose|whom|which|when|where|why|how|is|are|was|were|does|did|has|have|should|shall|may|must|can i|could i|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|wieviel|welche[rnsm]?|worum|worüber|womit|ist|sind|war|waren|hat|haben|soll|sollte[n]?|muss|darf|kann ich)(?!\\p{L})`,
  'iu',
)

const isQuestion = (sentence: string): boolean =>
  QUESTION_START.test(sentence) || (sentence.endsWith('?') && !POLITE_QUESTION.test(sentence))

/** The words before a verb that commands: "and archive it", "can you archive it", "I want you to archive it". */
const BEFORE_COMMAND = new RegExp(
  `(?:^|^you (?:can|may|should)|[.,;!?–—()]|(?<!\\p{L})(?:${POLITE}|and|then|also|now|just|let['’]?s|und|dann|danach|anschließend|zuerst|(?:can|could|would|will) you|(?:i|we)(?:['’]d| would)? (?:want|like|(?:want|like|need) you) to|(?:remember|forget|feel free) to))\\s*$`,
  'iu',
)
const GERMAN_CLAUSE_END = /^\s*(?:$|[.,;!?–—()]|(?:und|oder|kannst|könntest|würdest|sollst|bitte)(?!\p{L}))/iu
const GERMAN_FINAL_VERB = /(?:en|ern|eln|st)$/iu

const NEGATION =
  /(?<!\p{L})(?:not|never|\p{L}*n['’]t|without|no need to|nicht|nie|niemals|kein\p{L}*|ohne)(?!\s+forget)(?:\s+\p{L}+){0,2}?\s*$/iu
/** German puts the negation after the verb: "Archiviere sie bitte nicht". */
const GERMAN_NEGATION = /^[^.,;!?]*(?<!\p{L})(?:nicht|nie|niemals|keinesfalls)(?!\p{L})/iu

/** Removes texts of others that the person copied into a message, such as a subject. Longer ones go first. */
const withoutCopies = (message: string, copied: readonly string[]): string =>
  copied
    .filter((text) => /\S\s+\S/u.test(text))
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, text) => rest.replaceAll(text, ' “” '), message)

/**
 * Reads the commands of a message. A verb is a command only where an imperative stands. Questions, quotations, dictated
 * text, and texts that the person copied from others contain no commands.
 */
export const readCommands = (message: string, copied: readonly string[]) => {
  const sentences = withoutCopies(message, copied)
    .replace(QUOTED, ' “” ')
    .replace(DICTATED, ': …')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)
    .filter((sentence) => sentence !== '' && !isQuestion(sentence))

  const isCommand = (sentence: string, { index, 0: verb }: RegExpExecArray): boolean => {
    const before = sentence.slice(0, index)
    const after = sentence.slice(index + verb.length)
    const isFinal = GERMAN_FINAL_VERB.test(verb) && GERMAN_CLAUSE_END.test(after)
    return (BEFORE_COMMAND.test(before) || isFinal) && !NEGATION.test(before) && !GERMAN_NEGATION.test(after)
  }

  return {
    has: (verb: RegExp): boolean =>
      sentences.some((sentence) => [...sentence.matchAll(verb)].some((match) => isCommand(sentence, match))),
  }
}
