/** Offers `content` as a download. */
export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has taken hold of it by the next turn; revoked at once, some would find nothing.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
