import { language } from '#locale/language'

const names = new Intl.DisplayNames(language, { type: 'language' })

/** The name of a language tag. Captions may have tags that `Intl` rejects; those stay as they are. */
export const languageName = (tag: string): string => {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
