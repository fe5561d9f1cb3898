/** RFC 9309 section 2.5: a crawler must read at least 500 KiB. */
const MOST_CHARACTERS = 512_000
const MOST_RULES = 5_000

interface Rule {
  allow: boolean
  pattern: string
  line: string
}

export interface RobotsTxt {
  /** The rules for user agent "*", as written in the file. */
  rules: Rule[]
  sitemaps: string[]
}

export const readRobotsTxt = (text: string): RobotsTxt => {
  const rules: Rule[] = []
  const sitemaps: string[] = []
  let isForAll = false
  let inAgents = false
  for (const raw of text.slice(0, MOST_CHARACTERS).split(/\r\n|\r|\n/)) {
    const line = (raw.split('#', 1)[0] ?? '').trim()
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'user-agent') {
      isForAll = (inAgents && isForAll) || value === '*'
      inAgents = true
      continue
    }
    if (name === 'sitemap') sitemaps.push(line)
    if (name !== 'allow' && name !== 'disallow') continue
    inAgents = false
    if (isForAll && value !== '' && rules.length < MOST_RULES)
      rules.push({ allow: name === 'allow', pattern: value, line })
  }
  return { rules, sitemaps }
}

/**
 * Matches a pattern in which "*" is any text and "$" the end. One pass suffices, because the earliest match
 * of each piece is the best.
 */
const matchesPattern = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith('$')
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...rest] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, piece] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return !isWhole || at === path.length
}

/** Returns the line that disallows a path. The longest matching rule decides, and `allow` wins a tie. */
export const findDisallowRule = ({ rules }: RobotsTxt, path: string): string | undefined => {
  let best: Rule | undefined
  for (const rule of rules) {
    const longer = best === undefined || rule.pattern.length > best.pattern.length
    const tie = best !== undefined && rule.pattern.length === best.pattern.length && rule.allow
    if ((longer || tie) && matchesPattern(rule.pattern, path)) best = rule
  }
  return best === undefined || best.allow ? undefined : best.line
}
