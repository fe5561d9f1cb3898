/** Text controls. Losing a search or a password does not matter. */
const TEXT_FIELDS =
  'textarea, input:not([type="search"], [type="password"], [data-secret], [type="checkbox"], [type="radio"])'

/** Containers whose input is lost with the page. */
const LOST_WITH_PAGE = '.dialog:not([data-closed]), .popover:not([data-closed]), .chat-form, .task-add'

type Field = HTMLInputElement | HTMLTextAreaElement

export type UnsavedInput = ReturnType<typeof createUnsavedInput>

/** Detects text that the user typed and that is still in its field. */
export const createUnsavedInput = () => {
  const touched = new WeakSet<Element>()
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof Element) touched.add(target)
    },
    true,
  )
  const isIn = (part: ParentNode): boolean =>
    [...part.querySelectorAll<Field>(TEXT_FIELDS)].some(
      (field) => touched.has(field) && field.value.trim() !== '',
    )
  // Asks before the window is closed or reloaded. Settings forms do not count: they show the saved values.
  window.addEventListener('beforeunload', (event) => {
    if ([...document.querySelectorAll(LOST_WITH_PAGE)].some(isIn)) event.preventDefault()
  })
  return {
    in: isIn,
  }
}
