/** Untrusted content must never render as a page of this origin. */
export const downloadHeaders = (filename: string) => ({
  'content-disposition': `attachment; filename="${filename.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(
    filename,
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

export const binary = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })
