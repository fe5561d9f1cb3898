import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** VitePress reads pages from one folder, and the documents in the root folder belong to the site too. */
const pages = fileURLToPath(new URL('pages', import.meta.url))

/** Documents outside docs/, by their page. */
const ROOT_DOCUMENTS = {
  'README.md': 'readme.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
  'ARCHITECTURE.md': 'architecture.md',
  '.env.example': 'settings.md',
  LICENSE: 'licence.md',
}
/** Titles of the documents without Markdown. */
const TITLES = { '.env.example': 'Settings', LICENSE: 'Licence' }

const listDocuments = () => {
  const list = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) return list(path)
      return entry.name.endsWith('.md') ? [path] : []
    })
  const toPage = (path) => path.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
  return new Map([...list('docs').map((path) => [path, toPage(path)]), ...Object.entries(ROOT_DOCUMENTS)])
}

/** Replaces links between documents by links between pages. VitePress reports the others as dead links. */
const toPageLink = (documents, document, page) => (link) => {
  const [path, hash] = link.split('#')
  if (path === '' || /^[a-z]+:|^\//.test(path)) return link
  const target = posix.normalize(posix.join(posix.dirname(document), path))
  const found = documents.get(target) ?? documents.get(posix.join(target, 'README.md'))
  const to = found ?? target.replace(/^docs\//, '')
  const relative = posix.relative(posix.dirname(page), to)
  return `${relative.startsWith('.') ? '' : './'}${relative}${hash === undefined ? '' : `#${hash}`}`
}

const PICTURE =
  /<picture>\s*<source[^>]*srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g

/** The color scheme of the site is a choice of the reader, and `<picture>` follows the operating system. */
const toPictures = (_match, dark, before, light, after) => {
  const rest = `${before}${after}`.trim()
  return `<img class="only-light" loading="lazy" ${rest} src="${light}">\n<img class="only-dark" loading="lazy" ${rest} src="${dark}">`
}

const toPage = (documents, document, page) => {
  const text = readFileSync(join(root, document), 'utf8')
  if (TITLES[document]) return `# ${TITLES[document]}\n\n\`\`\`ini\n${text}\`\`\`\n`
  const link = toPageLink(documents, document, page)
  return text
    .replace(PICTURE, toPictures)
    .replace(/\]\(([^)\s]+)\)/g, (_match, address) => `](${link(address)})`)
    .replace(/\b(src|href)="([^"]+)"/g, (_match, name, address) => `${name}="${link(address)}"`)
}

/** Writes all pages and images to site/pages. */
export const collectPages = () => {
  rmSync(pages, { recursive: true, force: true })
  const documents = listDocuments()
  for (const [document, page] of documents) {
    mkdirSync(join(pages, dirname(page)), { recursive: true })
    writeFileSync(join(pages, page), toPage(documents, document, page))
  }
  cpSync(join(root, 'docs', 'images'), join(pages, 'images'), { recursive: true })
}

const SECTIONS = {
  Start: ['index', 'readme', 'tour', 'install', 'connecting-mail', 'importing'],
  Use: [
    'assistant',
    'writing-mail',
    'mail-rules',
    'mail-folders',
    'mailing-lists',
    'contacts',
    'promises',
    'reservations',
    'calendar',
    'dav',
    'sharing',
    'notifications',
    'stream',
    'automation',
    'webhooks',
    'glossary',
  ],
  Operate: [
    'operating',
    'settings',
    'install-systemd',
    'install-containers',
    'install-caddy',
    'install-nginx',
    'install-traefik',
    'install-home-network',
    'upgrading',
    'backups',
    'security',
    'changelog',
    'licence',
  ],
  Internals: ['architecture', 'contributing', 'internals/index'],
}
const NAMES = { index: 'Overview', readme: 'Quick start', 'internals/index': 'Internals' }

const readTitle = (page) =>
  NAMES[page] ??
  /^# (.+)$/m.exec(readFileSync(join(pages, `${page}.md`), 'utf8'))?.[1]?.replaceAll('`', '') ??
  page

const toItem = (page) => ({ text: readTitle(page), link: `/${page.replace(/(^|\/)index$/, '$1')}` })

const listPages = (folder) =>
  readdirSync(join(pages, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, basename(name, '.md')))

/** The navigation. A page that no section names follows the named ones, so that every page can be found. */
export const listSections = () => {
  const named = new Set(Object.values(SECTIONS).flat())
  const others = listPages('').filter((page) => !named.has(page))
  const isOperation = (page) => page.startsWith('install-')
  const further = {
    Use: others.filter((page) => !isOperation(page)),
    Operate: others.filter(isOperation),
    Internals: listPages('internals').filter((page) => !named.has(page)),
  }
  return Object.entries(SECTIONS).map(([text, names]) => ({
    text,
    collapsed: text === 'Internals',
    items: [...names.filter((page) => existsSync(join(pages, `${page}.md`))), ...(further[text] ?? [])].map(
      toItem,
    ),
  }))
}
