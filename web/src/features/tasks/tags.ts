/** Reads tags that are separated with commas. A leading # is not part of the tag. */
export const readTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter(Boolean)
