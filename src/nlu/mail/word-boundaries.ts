/** An expression that ignores case and knows the letters of all languages. */
export const unicode = (source: string): RegExp => new RegExp(source, 'iu')
export const BEFORE = '(?<![\\p{L}\\d])'
export const AFTER = '(?![\\p{L}\\d])'
