// Builds the documentation site from docs/ and the documents in the root folder into site/dist.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { collectPages } from './pages.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
rmSync(`${folder}dist`, { recursive: true, force: true })
collectPages()
await build(folder)
