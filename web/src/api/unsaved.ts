/** Where words are written; what is looked for, or secret, is no loss. */
const WRITTEN =
  'textarea, input:not([type="search"], [type="password"], [data-secret], [type="checkbox"], [type="radio"])'

/** What empties, or goes away, as soon as it is taken. */
const LOST_WITH_PAGE = '.dialog:not([data-closed]), .chat-form, .task-add'

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
  const isIn = (part: ParentNode): boolean =>
    [...part.querySelectorAll<Field>(WRITTEN)].some(
      (field) => touched.has(field) && field.value.trim() !== '',
    )
  // Closing or reloading the window would lose it; forms of the settings keep showing what was saved, and do not count.
  window.addEventListener('beforeunload', (event) => {
    if ([...document.querySelectorAll(LOST_WITH_PAGE)].some(isIn)) event.preventDefault()
  })
  return {
    in: isIn,
  }
}
