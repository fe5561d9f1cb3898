/** Where words are written; what is looked for, or secret, is no loss. */
const WRITTEN = 'textarea, input:not([type="search"], [type="password"], [type="checkbox"], [type="radio"])'

type Field = HTMLInputElement | HTMLTextAreaElement

export type Unsaved = ReturnType<typeof createUnsaved>

/** What somebody has typed and nobody has taken yet: a field that is filled in and still there. */
export const createUnsaved = () => {
  const touched = new WeakSet<Element>()
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof Element) touched.add(target)
    },
    true,
  )
  return {
    in: (part: ParentNode): boolean =>
      [...part.querySelectorAll<Field>(WRITTEN)].some(
        (field) => touched.has(field) && field.value.trim() !== '',
      ),
  }
}
