/*
 * Small letters are compared several times faster than letters of either case: a text is made small once, and read with
 * patterns that know small letters alone.
 */

/** The same pattern for texts in small letters; it must be written in small letters itself, and without properties. */
export const forSmall = ({ source, flags }: RegExp): RegExp => new RegExp(source, flags.replace(/[iu]/g, ''))

/** The text in small letters; undefined for the few that are longer then, in which nothing would stand where it stood. */
export const smallOf = (text: string): string | undefined => {
  const small = text.toLowerCase()
  return small.length === text.length ? small : undefined
}
