/** Reads a text field of a form, without the spaces around the text. */
export const readText = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()
