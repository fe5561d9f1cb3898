/** Asked without a question mark: "I would like to know whether …", "ich wollte fragen, ob …". */
const INDIRECT =
  /\b(?:i(?:['’]d| would)(?: also| really)? (?:like|love) to (?:know|ask(?: you)?|find out)|i (?:was|am)(?: just| also)? wondering|i wonder|i (?:wanted|want) to (?:ask|know)(?: you)?|i(?:['’]m| am) (?:curious|not sure)|mich würde(?: auch| noch)? interessieren|ich (?:wüsste|würde)(?: auch| noch)? gerne?(?: wissen)?|ich (?:wollte|möchte|würde)(?: \p{L}+){0,3} (?:fragen|wissen))[\s,]+(?:if|whether|what|when|where|who|which|how|why|ob|was|wann|wo|wer|welche[rsnm]?|wie|warum|wieso|weshalb)\b/iu
const LONGEST = 400

/** Whether a sentence asks something. */
export const isQuestion = (words: string): boolean =>
  words.length > 3 && (/\?["')]*\s*$/.test(words) || INDIRECT.test(words.slice(0, LONGEST)))
