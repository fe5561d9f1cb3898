import { createRequire } from 'node:module'
import type { CssNode, ParseOptions } from 'css-tree'

const require = createRequire(import.meta.url)
type Css = typeof import('css-tree')
type CssLibrary = Pick<Css, 'parse' | 'tokenize' | 'tokenTypes' | 'ident' | 'string' | 'url'>

let loaded: CssLibrary | undefined

/** Loads css-tree at the first use, without its tables for validation, which take 20 MB. */
const loadCss = (): CssLibrary => {
  loaded ??= {
    parse: require('css-tree/parser') as Css['parse'],
    ...(require('css-tree/tokenizer') as Pick<Css, 'tokenize' | 'tokenTypes'>),
    ...(require('css-tree/utils') as Pick<Css, 'ident' | 'string' | 'url'>),
  }
  return loaded
}

/** Larger than the style sheets of real newsletters. Gmail accepts 16 KB. */
export const MAX_STYLE_SHEET_LENGTH = 128 * 1024
const MAX_STYLE_ATTRIBUTE_LENGTH = 10_000
/** Limit for rules within rules, such as a rule in @media in @supports. */
const MAX_RULE_DEPTH = 6

const PARSE_OPTIONS: ParseOptions = {
  parseValue: false,
  parseCustomProperty: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
  // Broken declarations become raw nodes, which are dropped as a browser does.
  onParseError: () => {},
}

const AT_RULES_WITH_RULES = /^(?:media|supports|layer|container|(?:-webkit-|-moz-)?keyframes)$/
const PROPERTY = /^(?:--[a-z][\w-]*|-?[a-z][a-z-]*)$/i
/** Properties of old browsers that run code. */
const FORBIDDEN_PROPERTY = /^(?:behavior|-ms-behavior|-moz-binding|mso-.*)$/i
/** Functions that load an address from a string or a custom property, and expressions of old browsers. */
const FORBIDDEN_FUNCTION =
  /^(?:expression|image-set|-webkit-image-set|image|cross-fade|-webkit-cross-fade|element|-moz-element|src|paint)$/
/** Properties whose value may be an image. In others, a URL drops the declaration. */
const IMAGE_PROPERTY =
  /^(?:background|background-image|list-style|list-style-image|border-image|border-image-source)$/i

/** Addresses and markup, which no string in a style needs. */
const SUSPICIOUS_TEXT = /\/\/|</

/** The result for a URL in a style: CSS that replaces it. */
export type ReplaceUrl = (address: string) => string

/** Identifies an image in a style. The address is in the `data-remote-images` attribute of the element. */
export const toImageVariable = (index: number): string => `var(--remote-image-${index}, none)`

/**
 * The console makes the frame of a message as high as its content. A length that depends on the height of the frame
 * would make it grow without end. Such a length is calculated for a window with this height.
 */
const VIEWPORT_HEIGHT = 600
const VIEWPORT_LENGTH = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(?:[sld]?v|cq)(h|b|i|min|max)$/i

const fixViewportLength = (token: string): string => {
  const [, number, axis] = VIEWPORT_LENGTH.exec(token) ?? []
  if (number === undefined || axis === undefined) return token
  const share = Number(number)
  const ofWidth = `${share}vw`
  const ofHeight = `${(share * VIEWPORT_HEIGHT) / 100}px`
  switch (axis.toLowerCase()) {
    case 'i':
      return ofWidth
    case 'min':
      return `${share < 0 ? 'max' : 'min'}(${ofWidth},${ofHeight})`
    case 'max':
      return `${share < 0 ? 'min' : 'max'}(${ofWidth},${ofHeight})`
    default:
      return ofHeight
  }
}

interface ValueFilter {
  property: string
  replaceUrl: ReplaceUrl
}

/**
 * Copies a value token by token. Returns null if it must be dropped: it cannot be parsed, calls a forbidden
 * function, or has a URL where no image may be.
 */
const filterValue = (value: string, { property, replaceUrl }: ValueFilter): string | null => {
  const { tokenize, tokenTypes, ident, string, url } = loadCss()
  const pieces: string[] = []
  const isPosition = property.toLowerCase() === 'position'
  const allowsImages = IMAGE_PROPERTY.test(property)
  let isDropped = false
  let depth = 0
  let isInUrl = false
  tokenize(value, (type: number, start: number, end: number) => {
    const token = value.slice(start, end)
    if (isInUrl) {
      // The argument of `url("…")`, until its closing parenthesis.
      if (type === tokenTypes.String) pieces.push(replaceUrl(string.decode(token)))
      else if (type === tokenTypes.RightParenthesis) isInUrl = false
      else if (type !== tokenTypes.WhiteSpace) isDropped = true
      return
    }
    switch (type) {
      case tokenTypes.BadString:
      case tokenTypes.BadUrl:
      case tokenTypes.CDO:
      case tokenTypes.CDC:
      case tokenTypes.Semicolon:
      case tokenTypes.LeftCurlyBracket:
      case tokenTypes.RightCurlyBracket:
        isDropped = true
        return
      case tokenTypes.Comment:
        pieces.push(' ')
        return
      case tokenTypes.Url:
        if (!allowsImages) isDropped = true
        else pieces.push(replaceUrl(url.decode(token)))
        return
      case tokenTypes.String:
        if (SUSPICIOUS_TEXT.test(string.decode(token))) isDropped = true
        // An open string would swallow the declarations that follow.
        else pieces.push(string.encode(string.decode(token), true))
        return
      case tokenTypes.Function: {
        const name = ident.decode(token.slice(0, -1)).toLowerCase()
        if (FORBIDDEN_FUNCTION.test(name) || isPosition) isDropped = true
        if (name === 'url') {
          if (!allowsImages) isDropped = true
          isInUrl = true
          return
        }
        depth++
        break
      }
      case tokenTypes.LeftParenthesis:
      case tokenTypes.LeftSquareBracket:
        depth++
        break
      case tokenTypes.RightParenthesis:
      case tokenTypes.RightSquareBracket:
        depth--
        break
      case tokenTypes.Dimension:
        pieces.push(fixViewportLength(ident.decode(token)))
        return
      case tokenTypes.Ident:
        // Neither may a message stay in place while the reader scrolls.
        if (isPosition && /^(?:fixed|sticky|-webkit-sticky)$/i.test(ident.decode(token))) isDropped = true
        break
    }
    const isAddress = token === '/' && pieces.at(-1) === '/'
    if (depth < 0 || token === '<' || isAddress || token.endsWith('\\')) isDropped = true
    pieces.push(token)
  })
  // An open bracket or URL would swallow the declarations that follow.
  return isDropped || isInUrl || depth !== 0 ? null : pieces.join('').trim()
}

const rawValueOf = (node: CssNode | null): string | null => (node?.type === 'Raw' ? node.value : null)

const filterDeclaration = (node: CssNode, replaceUrl: ReplaceUrl): string => {
  if (node.type !== 'Declaration') return ''
  const { property } = node
  if (!PROPERTY.test(property) || FORBIDDEN_PROPERTY.test(property)) return ''
  const raw = rawValueOf(node.value)
  const value = raw === null ? null : filterValue(raw, { property, replaceUrl })
  if (value === null || value === '') return ''
  return `${property}:${value}${node.important ? ' !important' : ''}`
}

/** A selector or a media query, or null if it has something that could end the rule early. */
const filterPrelude = (prelude: string): string | null => {
  const { tokenize, tokenTypes } = loadCss()
  const forbidden: number[] = [
    tokenTypes.BadString,
    tokenTypes.BadUrl,
    tokenTypes.Url,
    tokenTypes.CDO,
    tokenTypes.CDC,
    tokenTypes.Semicolon,
    tokenTypes.LeftCurlyBracket,
    tokenTypes.RightCurlyBracket,
  ]
  const pieces: string[] = []
  let isDropped = false
  let depth = 0
  tokenize(prelude, (type: number, start: number, end: number) => {
    const token = prelude.slice(start, end)
    if (forbidden.includes(type) || token.endsWith('\\')) isDropped = true
    if (/[([]$/.test(token) && type !== tokenTypes.String) depth++
    if (type === tokenTypes.RightParenthesis || type === tokenTypes.RightSquareBracket) depth--
    pieces.push(type === tokenTypes.Comment ? ' ' : type === tokenTypes.WhiteSpace ? ' ' : token)
  })
  const filtered = pieces.join('').trim()
  // `<` belongs to no selector, only to media queries.
  const isSuspicious = filtered.includes('//') || /<(?![\s=\d])/.test(filtered)
  return isDropped || depth !== 0 || isSuspicious ? null : filtered
}

const filterNodes = (nodes: Iterable<CssNode>, replaceUrl: ReplaceUrl, depth: number): string => {
  const pieces: string[] = []
  for (const node of nodes) {
    if (node.type === 'Declaration') {
      const declaration = filterDeclaration(node, replaceUrl)
      if (declaration !== '') pieces.push(`${declaration};`)
    } else if (node.type === 'Rule' || node.type === 'Atrule') {
      if (depth < MAX_RULE_DEPTH) pieces.push(filterRule(node, replaceUrl, depth))
    }
  }
  return pieces.join('')
}

const filterRule = (
  node: Extract<CssNode, { type: 'Rule' | 'Atrule' }>,
  replaceUrl: ReplaceUrl,
  depth: number,
): string => {
  const prelude = node.prelude === null ? '' : filterPrelude(rawValueOf(node.prelude) ?? '')
  if (prelude === null || !node.block) return ''
  const isRule = node.type === 'Rule'
  if (isRule ? prelude === '' : !AT_RULES_WITH_RULES.test(node.name.toLowerCase())) return ''
  const content = filterNodes(node.block.children, replaceUrl, depth + 1)
  if (content === '') return ''
  return isRule ? `${prelude}{${content}}` : `@${node.name.toLowerCase()} ${prelude}{${content}}`
}

/**
 * Returns the harmless rules of a style sheet. Drops @import, @font-face and everything that loads or runs.
 * The result cannot end the <style> element that contains it.
 */
export const filterStyleSheet = (css: string, replaceUrl: ReplaceUrl): string => {
  // Browsers ignore these, so the rule after them counts.
  const source = css.replace(/<!--|-->/g, ' ')
  if (source.length > MAX_STYLE_SHEET_LENGTH) return ''
  try {
    const sheet = loadCss().parse(source, { ...PARSE_OPTIONS, context: 'stylesheet' })
    if (sheet.type !== 'StyleSheet') return ''
    return filterNodes(sheet.children, replaceUrl, 0).replace(/<(?=[/!])/g, '\\3c ')
  } catch (error) {
    // Thousands of open blocks exceed the stack of the parser.
    if (error instanceof RangeError) return ''
    throw error
  }
}

/** Returns the harmless declarations of a style attribute. */
export const filterStyleAttribute = (css: string, replaceUrl: ReplaceUrl): string => {
  if (css.length > MAX_STYLE_ATTRIBUTE_LENGTH) return ''
  try {
    const list = loadCss().parse(css, { ...PARSE_OPTIONS, context: 'declarationList' })
    if (list.type !== 'DeclarationList') return ''
    return [...list.children]
      .map((node) => filterDeclaration(node, replaceUrl))
      .filter((declaration) => declaration !== '')
      .join(';')
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}
