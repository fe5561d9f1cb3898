import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'

// The console and the server are built when their sources changed. A stamp beside the result contains the
// fingerprint of the sources that it was built from: `{ content, times }`, two hashes. The times are compared
// first, because reading all files takes a tenth of a start. A copy of the checkout may have other times. The
// fingerprint is computed before the build, so that a file saved meanwhile makes the build stale.

const webStamp = (root) => join(root, 'web', 'dist', '.stamp')

/** Also true for a checkout without the console: there is nothing to build. */
export const isWebReady = (root) =>
  !existsSync(join(root, 'web', 'package.json')) || isCurrent(readStamp(webStamp(root)), webSources(root))

export const hasWebBuild = (root) => existsSync(join(root, 'web', 'dist', 'index.html'))

export const webFingerprint = (root) => fingerprint(webSources(root))

export const writeWebStamp = (root, print) => writeStamp(webStamp(root), print)

/** Generated for the type check only; the build does not read it. */
const API_TYPES = 'src/api/schema.ts'

/** Every file except those of npm and the build, so that no new page or setting is missed. */
function webSources(root) {
  const isGenerated = (name) => name === 'node_modules' || name === 'dist' || name.startsWith('.')
  const names = readdirSync(join(root, 'web')).filter((name) => !isGenerated(name))
  return names.map((name) => join(root, 'web', name))
}

const siteStamp = (root) => join(root, 'site', 'dist', '.stamp')

export const isSiteReady = (root) => isCurrent(readStamp(siteStamp(root)), siteSources(root))

export const hasSiteBuild = (root) => existsSync(join(root, 'site', 'dist', 'index.html'))

export const siteFingerprint = (root) => fingerprint(siteSources(root))

export const writeSiteStamp = (root, print) => writeStamp(siteStamp(root), print)

/** The documents, and the files that turn them into pages. */
function siteSources(root) {
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'))
  const builders = ['.vitepress', 'build.mjs', 'package-lock.json', 'pages.mjs'].map((name) => `site/${name}`)
  return ['docs', '.env.example', 'LICENSE', ...documents, ...builders].map((name) => join(root, name))
}

const serverStamp = (root) => join(root, 'dist', '.stamp')

export const serverEntry = (root) => join(root, 'dist', 'main.js')

/** Also true for a release, which contains the bundle without its sources. */
export const isServerReady = (root) =>
  !existsSync(join(root, 'src')) || isCurrent(readStamp(serverStamp(root)), serverSources(root))

export const serverFingerprint = (root) => fingerprint(serverSources(root))

const serverSources = (root) =>
  [
    'bin/launcher/build-server.mjs',
    'bin/launcher/bundle-entry.mjs',
    'bin/launcher/outside-packages.json',
    'package-lock.json',
    'src',
  ].map((name) => join(root, name))

/** Creates an empty folder for the build, without the remains of an interrupted one. */
export function makeServerDraft(root) {
  const draft = serverDraft(root)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  return draft
}

const serverDraft = (root) => join(root, 'dist', 'draft')

/**
 * Moves a finished build into place. A running server loads files on first use, so the files of the previous
 * build stay. All names except the entry's contain a hash of the content; the entry is moved last.
 */
export function publishServer(root, print) {
  const [place, draft] = [join(root, 'dist'), serverDraft(root)]
  const files = readdirSync(draft).sort((a, b) => Number(a === 'main.js') - Number(b === 'main.js'))
  for (const file of files) renameSync(join(draft, file), join(place, file))
  const kept = new Set([...files, ...(readStamp(serverStamp(root)).files ?? []), '.stamp'])
  for (const file of readdirSync(place))
    if (!kept.has(file)) rmSync(join(place, file), { recursive: true, force: true })
  writeStamp(serverStamp(root), { ...print, files })
}

function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

function writeStamp(path, stamp) {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(stamp))
  renameSync(temporary, path)
}

const isCurrent = (stamp, sources) =>
  stamp.times === hashFiles(sources, readTime) || stamp.content === hashFiles(sources, readFileSync)

const fingerprint = (sources) => ({
  content: hashFiles(sources, readFileSync),
  times: hashFiles(sources, readTime),
})

function readTime(path) {
  const { size, mtimeMs } = statSync(path)
  return `${size} ${mtimeMs}`
}

/** Hashes names below the sources, and what `read` returns of each file. */
function hashFiles(sources, read) {
  const hash = createHash('sha256')
  const addFile = (path, name) => hash.update(name).update('\0').update(read(path)).update('\0')
  const addFolder = (path, name) => {
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const add = entry.isDirectory() ? addFolder : addFile
      const inner = `${name}/${entry.name}`
      if (inner !== API_TYPES) add(join(path, entry.name), inner)
    }
  }
  for (const path of sources) {
    const add = statSync(path).isDirectory() ? addFolder : addFile
    add(path, basename(path))
  }
  return hash.digest('hex')
}
