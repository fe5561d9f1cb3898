/** Downloads `content` as a file. */
export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers start the download later and would find a revoked URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
