import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from './support/instance.ts'

const PROGRAM = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
const run = (...input: string[]) => promisify(execFile)(process.execPath, [PROGRAM, ...input])

/** These scenarios need nothing but a server with tools. */
const PASSED = ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list']

/** The other scenarios call tools, prompts and resources of a server made for them, or need other abilities. */
const SKIPPED: readonly [RegExp, string][] = [
  [/^tools-call-/, 'calls tools of the reference server, such as test_simple_text'],
  [/^json-schema-2020-12$/, 'calls the tool json_schema_2020_12_tool of the reference server'],
  [/^elicitation-/, 'calls tools of the reference server that ask the user'],
  [/^server-sse-/, 'needs sessions; each request to this server is complete in itself'],
  [/^resources-/, 'the server offers no resources'],
  [/^prompts-/, 'the server offers no prompts'],
  [/^completion-complete$/, 'completes arguments of prompts and resources, which the server does not offer'],
  [/^logging-set-level$/, 'the server sends no log messages'],
]

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.close())

it('is tested with every scenario of the conformance suite, or names the reason', async () => {
  const { stdout } = await run('list')
  const [servers = ''] = stdout.split('Client scenarios')
  const names = [...servers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name as string)
  expect(names.length).toBeGreaterThan(25)
  const isSkipped = (name: string): boolean => SKIPPED.some(([pattern]) => pattern.test(name))
  expect(names.filter((name) => !isSkipped(name)).sort()).toEqual(PASSED)
})

it.each(PASSED)('passes the scenario %s', async (scenario) => {
  const { stdout } = await run('server', '--url', `${instance.url}/mcp`, '--scenario', scenario)
  const [, passed, total] = /Passed: (\d+)\/(\d+)/.exec(stdout) ?? []
  expect([stdout, Number(total) > 0 && passed === total]).toEqual([stdout, true])
})
