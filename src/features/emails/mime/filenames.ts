const LONGEST_NAME = 200

const EXTENSIONS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/rfc822-headers': 'txt',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'application/octet-stream': 'bin',
}

/** A name that a disk would take, whatever the sender thought of it. */
export const tidyFilename = (name: string, contentType: string, number: number): string => {
  const last = name.split(/[\\/]/).at(-1) as string
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const tidy = last.replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  if (tidy !== '' && !/^\.+$/.test(tidy)) return tidy.slice(-LONGEST_NAME).toWellFormed()
  const extension = EXTENSIONS[contentType] ?? (/^[\w.+-]+\/([\w.-]{1,10})$/.exec(contentType)?.[1] || 'bin')
  return `attachment-${number}.${extension}`
}
