/*
 * German requests often put the verb at the end: "Kannst du den Termin auf Freitag verschieben?", "Zahnarzt auf Freitag
 * verschieben". The rules read imperatives, so such a request becomes "verschiebe den Termin auf Freitag".
 */

/** Infinitives with their imperative and, for separable verbs, the particle that closes the sentence. */
const VERBS: Readonly<Record<string, readonly [imperative: string, particle?: string]>> = {
  verschieben: ['verschiebe'],
  verlegen: ['verlege'],
  absagen: ['sage', 'ab'],
  stornieren: ['storniere'],
  streichen: ['streiche'],
  löschen: ['lösche'],
  entfernen: ['entferne'],
  eintragen: ['trage', 'ein'],
  anlegen: ['lege', 'an'],
  erstellen: ['erstelle'],
  hinzufügen: ['füge', 'hinzu'],
  planen: ['plane'],
  einplanen: ['plane', 'ein'],
  vereinbaren: ['vereinbare'],
  umbenennen: ['benenne', 'um'],
  archivieren: ['archiviere'],
  markieren: ['markiere'],
  abhaken: ['hake', 'ab'],
  erledigen: ['erledige'],
  zusammenfassen: ['fasse', 'zusammen'],
  zurückstellen: ['stelle', 'zurück'],
  abbestellen: ['bestelle', 'ab'],
  beantworten: ['beantworte'],
  zeigen: ['zeige'],
  anzeigen: ['zeige', 'an'],
  suchen: ['suche'],
  finden: ['finde'],
  auflisten: ['liste', 'auf'],
  erinnern: ['erinnere'],
}

const ASKING =
  /^(?:(?:hallo|hey|bitte|ok|okay)[\s,]+)*(?:(?:kannst|könntest|würdest) du(?: bitte| mal| kurz)*|ich (?:möchte|will|würde gerne?)|wir (?:sollten|müssen|wollen)|bitte)\s+/iu
/** A command such as "Zahnarzt auf Freitag verschieben" starts with its object. */
const OBJECT = /^(?:(?:den|die|das|alle|meine?n?)\s|\p{Lu}\p{Ll}+\s)/u
const LAST_WORD = /^(.+?)\s+(\p{Ll}+)[\s.!?]*$/u
/** Verbs that an object alone precedes. "Mails schreiben" may be the title of a task. */
const COMMANDS = new Set([
  'verschieben',
  'verlegen',
  'absagen',
  'löschen',
  'archivieren',
  'abbestellen',
  'stornieren',
])
/** A finite verb or a subject at the start: the infinitive belongs to it. */
const FINITE =
  /^(?:ich|wir|du|er|sie|es|man|was|wann|wer|wie|wo|wem|welche\p{L}*|soll\p{L}*|muss|darf|kann|will|erinner\p{L}*|neue\p{L}*|aufgabe|termin(?=\s*:)|trage?|setze?|leg\p{L}?|notiere?|schreibe?|vergiss|denk\p{L}?|hilf)(?!\p{L})/iu

/** Moves the verb of a German request to the front. Returns every other text unchanged. */
export const toGermanImperative = (text: string): string => {
  const asked = ASKING.exec(text)
  const rest = asked ? text.slice(asked[0].length) : text
  const [, object, verb = ''] = LAST_WORD.exec(rest) ?? []
  const [imperative, particle] = VERBS[verb] ?? []
  if (object === undefined || imperative === undefined || object.includes(',') || FINITE.test(rest))
    return text
  if (!asked && !(OBJECT.test(rest) && COMMANDS.has(verb))) return text
  return [imperative, object, particle].filter(Boolean).join(' ')
}
