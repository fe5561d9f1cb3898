const FOREIGN = new Set(['svg', 'math'])
/** HTML's own tags, which end a drawing or a formula that they stand in (HTML, 13.2.6.5). */
const STARTS =
  'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li ' +
  'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
const ENDS_FOREIGN = new Set([...STARTS.split(' ').map((name) => `<${name}`), '</p', '</br'])
/** Their content is not shown; where they never end, they cannot mean all the rest of a message. */
const UNSHOWN = ['noscript', 'template', 'object', 'select', 'option']

const ANY = new RegExp(`<(?:${[...FOREIGN, ...UNSHOWN].join('|')})`, 'i')
const TAG = /<\/?([a-z][a-z0-9]*)/gi
/** Of drawings within each other. */
const DEEPEST = 20

/**
 * What a sanitiser throws away with its content ends where it does in a browser: a mail does not end with an icon that was left open.
 * Tags are found roughly here, for what comes of it is yet to be sanitised.
 */
export const endTags = (html: string): string => {
  if (!ANY.test(html)) return html
  const lower = html.toLowerCase()
  const lastEnds = new Map(UNSHOWN.map((name) => [name, lower.lastIndexOf(`</${name}`)]))
  const open: string[] = []
  const pieces: string[] = []
  let taken = 0
  for (const { 0: found, 1: given = '', index } of html.matchAll(TAG)) {
    const tag = found.toLowerCase()
    const name = given.toLowerCase()
    const isStart = tag.length === name.length + 1
    if (FOREIGN.has(name)) {
      if (!isStart) open.length = Math.max(0, open.lastIndexOf(name))
      else if (open.length < DEEPEST) open.push(name)
    } else if (open.length > 0 && ENDS_FOREIGN.has(tag)) {
      pieces.push(
        html.slice(taken, index),
        ...open
          .splice(0)
          .reverse()
          .map((foreign) => `</${foreign}>`),
      )
      taken = index
    } else if (isStart && index > (lastEnds.get(name) ?? index)) {
      // By a name that nobody knows, and so without effect.
      pieces.push(html.slice(taken, index), '<x-')
      taken = index + 1
    }
  }
  return pieces.join('') + html.slice(taken)
}
