import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hasSiteBuild,
  hasWebBuild,
  isServerReady,
  isSiteReady,
  isWebReady,
  makeServerDraft,
  publishServer,
  serverFingerprint,
  siteFingerprint,
  webFingerprint,
  writeSiteStamp,
  writeWebStamp,
} from './builds.mjs'
import { readInstalledSets } from './installed.mjs'
import { withLock } from './lock.mjs'
import { npmCommand, runNpm } from './npm.mjs'
import { arePackagesReady, markPackagesPartial, writePackagesStamp } from './packages.mjs'
import { refusal } from './refusal.mjs'
import { fetchedNode, findNode, neededMajor, nodePackage, writeNodeStamp } from './runtime.mjs'

// Progress goes to stderr, because a program may read the command's result from stdout.
const say = (line) => process.stderr.write(`${line}\n`)

// Passed on the command line, because the user's npm settings or NODE_ENV=production would change what is
// installed. Install scripts are disabled: nothing may run or download at install time.
const always = [
  '--ignore-scripts',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
]
const only = { production: ['--omit=dev'], full: ['--include=dev'] }

/** Updates the checkout, one process at a time, and returns the Node to run it with. */
export async function setUp({ root, packages, web, site }) {
  const canRun = () => findNode(root) && areOrBecomeReady(root, packages) && isServerReady(root)
  if (canRun() && (!web || isWebReady(root)) && (!site || isSiteReady(root))) return findNode(root)
  try {
    return await withLock(join(root, '.node'), sayWaiting, async (hold) => {
      const node = findNode(root) ?? (await fetchNode(root, hold))
      const npm = npmCommand(root, node)
      if (!areOrBecomeReady(root, packages))
        await installPackages({ directory: root, packages, npm, node, hold })
      if (!isServerReady(root)) await buildServer({ root, node, hold })
      if (web && !isWebReady(root)) await buildWeb({ root, npm, node, hold })
      if (site && !isSiteReady(root)) await buildSite({ root, npm, node, hold })
      return node
    })
  } catch (error) {
    const reason = isForbidden(error) ? forbidden(error, root) : error
    if (!reason.isRefusal || packages === 'full' || !hasWebBuild(root) || !canRun()) throw reason
    say(`${reason.message}\nStarting with the previous build of the console.`)
    return findNode(root)
  }
}

const isForbidden = (error) => ['EACCES', 'EPERM', 'EROFS'].includes(error.code)

const forbidden = (error, root) =>
  refusal(
    `Something is missing or out of date, and nothing can be written to ${root} (${error.code}).\n` +
      'Run the same command once as the owner of this directory. Afterwards any user can start it.',
  )

const sayWaiting = (lock) => say(`Another start is preparing this checkout; waiting for it (${lock})…`)

/**
 * Adopts packages that a user installed with npm. A read-only checkout can have no other, and no stamp can be
 * written.
 */
function areOrBecomeReady(directory, packages) {
  if (arePackagesReady(directory, packages)) return true
  const installed = readInstalledSets(directory)
  if (!installed[packages]) return false
  try {
    writePackagesStamp(directory, installed.full ? 'full' : 'production')
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  return true
}

async function fetchNode(root, hold) {
  const why = `Factotum needs Node ${neededMajor} or newer, but this is ${process.version}.`
  say(`Downloading Node ${neededMajor} from the npm registry (first start only)…`)
  const directory = join(root, '.node')
  const args = [
    'install',
    '--prefix',
    directory,
    '--no-save',
    ...always,
    `${nodePackage}@${neededMajor}`,
    'npm@11',
  ]
  const fetched = await runNpm({ npm: npmCommand(root), args, cwd: directory, hold })
  const trial = fetched.ok ? spawnSync(fetchedNode(root), ['--version'], { encoding: 'utf8' }) : undefined
  if (trial?.status !== 0) {
    say(
      fetched.ok
        ? `The downloaded Node does not run on this machine: ${trial.error?.message ?? trial.stderr}`
        : fetched.output,
    )
    throw refusal(
      `${why} The download failed (see above).\nInstall Node ${neededMajor} from https://nodejs.org and try again.`,
    )
  }
  writeNodeStamp(root)
  return fetchedNode(root)
}

async function installPackages({ directory, packages, npm, node, hold }) {
  const isFirst = !existsSync(join(directory, 'node_modules'))
  say(isFirst ? 'Installing packages (first start only)…' : 'Updating packages…')
  const installed = readInstalledSets(directory)
  // Installed tools stay installed. Adding them to a complete set must not remove the packages of a running
  // server: `npm ci` would start by deleting everything.
  const set = packages === 'full' || installed.hasTools ? 'full' : 'production'
  const args = installed.production ? ['install', '--no-save', '--package-lock'] : ['ci']
  markPackagesPartial(directory)
  const { ok, output } = await runNpm({
    npm,
    args: [...args, ...only[set], ...always],
    cwd: directory,
    node,
    hold,
  })
  // npm writes this file after the last package.
  if (!ok || !existsSync(join(directory, 'node_modules', '.package-lock.json'))) {
    say(output)
    throw refusal(
      `npm could not install the packages in ${directory} (see its output above).\n` +
        'Check the network, the registry (`npm config get registry`) and the disk space, then run the same command again.',
    )
  }
  writePackagesStamp(directory, set)
}

async function buildServer({ root, node, hold }) {
  say('Building the server…')
  const fingerprint = serverFingerprint(root)
  const script = fileURLToPath(new URL('build-server.mjs', import.meta.url))
  const { ok, output } = await runNpm({
    npm: [node, script],
    args: [root, makeServerDraft(root)],
    cwd: root,
    node,
    hold,
  })
  if (!ok) {
    say(output)
    throw refusal(
      'The server in src/ could not be built (see above).\n' +
        'Check the disk space, and undo or correct your changes in src/. If a package is missing, delete node_modules. ' +
        'Then run the same command again.',
    )
  }
  publishServer(root, fingerprint)
}

async function buildWeb({ root, npm, node, hold }) {
  const directory = join(root, 'web')
  if (!areOrBecomeReady(directory, 'full'))
    await installPackages({ directory, packages: 'full', npm, node, hold })
  say('Building the console…')
  const fingerprint = webFingerprint(root)
  const { ok, output } = await runNpm({ npm, args: ['run', 'build'], cwd: directory, node, hold })
  if (!ok || !hasWebBuild(root)) {
    say(output)
    throw refusal('The console in web/ could not be built (see above).')
  }
  writeWebStamp(root, fingerprint)
}

async function buildSite({ root, npm, node, hold }) {
  const directory = join(root, 'site')
  if (!areOrBecomeReady(directory, 'full'))
    await installPackages({ directory, packages: 'full', npm, node, hold })
  say('Building the documentation…')
  const fingerprint = siteFingerprint(root)
  const { ok, output } = await runNpm({ npm, args: ['run', 'build'], cwd: directory, node, hold })
  if (!ok || !hasSiteBuild(root)) {
    say(output)
    throw refusal('The documentation in docs/ could not be built (see above).')
  }
  writeSiteStamp(root, fingerprint)
}
