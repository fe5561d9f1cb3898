import { type Editor, mergeAttributes, Node } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import * as t from '#locale/rich-text'
import { buildDocument, fitFrame, writeDocument } from '../../reading/html-document.ts'

/** Reads an image of the message as a `data:` URL; null if it is remote or missing. */
export type LoadImage = (src: string) => Promise<string | null>

const SOURCE = /^(?:cid:|data:image\/|\/api\/emails\/|https?:\/\/)/

/**
 * An image in the text. The HTML of the editor has its address in `data-src`, because the browser would try to load
 * `cid:` and remote addresses.
 */
const InlineImage = Node.create<{ loadImage: LoadImage }>({
  name: 'inlineImage',
  group: 'inline',
  inline: true,
  draggable: true,
  addOptions: () => ({ loadImage: async () => null }),
  addAttributes: () => ({
    src: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-src') ?? element.getAttribute('src') ?? '',
      renderHTML: ({ src }) => ({ 'data-src': src as string }),
    },
    alt: { default: '' },
    width: { default: null },
    height: { default: null },
  }),
  parseHTML: () => [
    {
      tag: 'img',
      getAttrs: (element) =>
        SOURCE.test(element.getAttribute('data-src') ?? element.getAttribute('src') ?? '') && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
  addNodeView() {
    const { loadImage } = this.options
    return ({ node }) => {
      const image = document.createElement('img')
      image.className = 'rich-text-image'
      let current = ''
      const display = (src: string, alt: string): void => {
        image.alt = alt || t.image
        if (src === current) return
        const isUploaded = current.startsWith('data:') && src.startsWith('cid:')
        current = src
        // The picture is displayed already. Only its address has changed.
        if (isUploaded) return
        void loadImage(src).then((data) => {
          if (data !== null && current === src) image.src = data
        })
      }
      display(node.attrs.src as string, node.attrs.alt as string)
      if (node.attrs.width !== null) image.width = Number(node.attrs.width)
      return {
        dom: image,
        update(next) {
          if (next.type !== node.type) return false
          display(next.attrs.src as string, next.attrs.alt as string)
          return true
        },
      }
    }
  },
})

/** The marks that let a draft find its signature again. */
const Signature = Node.create({
  name: 'signature',
  group: 'block',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'div[data-part="signature"]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-part': 'signature', class: 'rich-text-signature' }),
    0,
  ],
})

const createButton = (label: string, onClick: () => void): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.dataset.kind = 'quiet'
  button.dataset.size = 'small'
  button.dataset.shape = 'text'
  button.textContent = label
  button.addEventListener('click', onClick)
  return button
}

const showQuote = async (frame: HTMLIFrameElement, html: string, loadImage: LoadImage): Promise<void> => {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const sources = [...html.matchAll(/<img\b[^>]*\bsrc="((?:cid:|\/api\/)[^"]+)"/g)].map(([, src = '']) => src)
  let displayed = html
  for (const src of new Set(sources)) {
    const data = await loadImage(src).catch(() => null)
    if (data !== null) displayed = displayed.replaceAll(`src="${src}"`, `src="${data}"`)
  }
  const quote = buildDocument(displayed, {
    loadsImages: false,
    pictures: new Map(),
    showsQuote: true,
    colors: {
      ink: '#1c1c1c',
      paper: '#ffffff',
      link: color('--accent-strong') || '#0645ad',
      rule: '#cccccc',
      scheme: 'light',
    },
  })
  writeDocument(frame, quote)
  fitFrame(frame)
}

/**
 * The quoted mail of a reply. It keeps the HTML of its author unchanged, which the editor could not represent. The
 * user can turn it into text to answer between its lines.
 */
const QuotedMail = Node.create<{ loadImage: LoadImage }>({
  name: 'quotedMail',
  group: 'block',
  atom: true,
  selectable: true,
  // Before the rule for ordinary quotes.
  priority: 1000,
  addOptions: () => ({ loadImage: async () => null }),
  addAttributes: () => ({
    html: { default: '', rendered: false, parseHTML: (element) => element.innerHTML },
  }),
  parseHTML: () => [{ tag: 'blockquote[type="cite"]' }],
  renderHTML: () => ['blockquote', { type: 'cite' }],
  addNodeView() {
    const { loadImage } = this.options
    return ({ node, editor, getPos }) => {
      const dom = document.createElement('div')
      dom.className = 'rich-text-quote'
      dom.contentEditable = 'false'
      const html = node.attrs.html as string
      let frame: HTMLIFrameElement | null = null
      const toggle = createButton(t.showQuote, () => {
        if (frame) {
          frame.remove()
          frame = null
        } else {
          frame = document.createElement('iframe')
          frame.title = t.quotedMail
          // Without `allow-scripts` the content cannot run code. The origin is for `writeDocument`.
          frame.setAttribute('sandbox', 'allow-same-origin')
          dom.append(frame)
          void showQuote(frame, html, loadImage)
        }
        toggle.textContent = frame ? t.hideQuote : t.showQuote
        toggle.setAttribute('aria-expanded', String(frame !== null))
      })
      toggle.setAttribute('aria-expanded', 'false')
      const replaceWith = (content: string | null): void => {
        const from = getPos()
        if (from === undefined) return
        const range = { from, to: from + node.nodeSize }
        const chain = editor.chain().focus()
        if (content === null) chain.deleteRange(range).run()
        else chain.insertContentAt(range, content).run()
      }
      dom.append(
        toggle,
        createButton(t.editQuote, () => replaceWith(`<blockquote>${html}</blockquote>`)),
        createButton(t.removeQuote, () => replaceWith(null)),
      )
      return { dom, stopEvent: () => true, ignoreMutation: () => true }
    }
  },
})

export const createExtensions = (loadImage: LoadImage) => [
  StarterKit.configure({
    link: { openOnClick: false, autolink: true, linkOnPaste: true, defaultProtocol: 'https' },
    // It would add an empty paragraph to every draft that ends with a quote.
    trailingNode: false,
  }),
  InlineImage.configure({ loadImage }),
  QuotedMail.configure({ loadImage }),
  Signature,
]

/** The HTML of the message. Empty if there is no content. */
export const serialize = (editor: Editor): string => {
  if (editor.isEmpty) return ''
  const quotes: string[] = []
  editor.state.doc.descendants((node) => {
    if (node.type.name === 'quotedMail') quotes.push(node.attrs.html as string)
  })
  return editor
    .getHTML()
    .replace(/(<img )data-src=/g, '$1src=')
    .replace(/ class="rich-text-signature"/g, '')
    .replace(
      /<blockquote type="cite"><\/blockquote>/g,
      () => `<blockquote type="cite">${quotes.shift() ?? ''}</blockquote>`,
    )
}
