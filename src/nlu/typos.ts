/** True if one letter is missing, added, replaced, or swapped with its neighbour. */
export const isOneTypo = (word: string, meant: string): boolean => {
  if (word === meant || Math.abs(word.length - meant.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === meant[at]) at++
  const [rest, wanted] = [word.slice(at), meant.slice(at)]
  if (rest.length > wanted.length) return rest.slice(1) === wanted
  if (rest.length < wanted.length) return rest === wanted.slice(1)
  if (rest.slice(1) === wanted.slice(1)) return true
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2)
}
