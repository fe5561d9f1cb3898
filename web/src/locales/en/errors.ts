// Texts of API errors, loaded with the first error.

/** Texts by error code. Empty in English, because the server's own text is more specific. */
export const codes: Readonly<Record<string, string>> = {}

/** The server's messages continue the name of the field: "must have 8 characters or more". */
export const fieldError = ({ label, message }: { label: string; message: string }) => {
  const text = /^\p{Ll}/u.test(message) ? `${label} ${message}` : message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
