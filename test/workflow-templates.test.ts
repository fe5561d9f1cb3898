import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

interface Node {
  id: string
  name: string
  type: string
  typeVersion: number
  position: number[]
  parameters: Record<string, unknown>
  credentials?: unknown
}
interface Workflow {
  name: string
  nodes: Node[]
  connections: Record<string, { main: { node: string; type: string; index: number }[][] }>
  settings: Record<string, unknown>
  active: boolean
}

/** Versions of the nodes in the n8n releases that the templates target. */
const VERSIONS: Record<string, number[]> = {
  'n8n-nodes-base.scheduleTrigger': [1, 1.1, 1.2],
  'n8n-nodes-base.httpRequest': [4, 4.1, 4.2],
  'n8n-nodes-base.splitOut': [1],
  'n8n-nodes-base.if': [2, 2.1, 2.2],
  'n8n-nodes-base.set': [3.3, 3.4],
  'n8n-nodes-base.convertToFile': [1, 1.1],
  'n8n-nodes-base.stopAndError': [1],
  'n8n-nodes-base.noOp': [1],
  'n8n-nodes-base.stickyNote': [1],
}

const BASE = 'https://desk.example'

onOneDatabase('sqlite', 'workflow templates', (engine) => {
  let instance: Instance
  let templates: { id: string; tool: string; scopes: string[]; workflow: Workflow }[]
  beforeAll(async () => {
    instance = await startInstance({
      engine,
      environment: { PUBLIC_URL: BASE, ACCESS: 'open', TZ_DEFAULT: 'Europe/Vienna' },
    })
    templates = (await instance.get('/api/workflow/templates')).body.templates
  })
  afterAll(() => instance.close())

  it('exist for bookings, the inbox, audits and the briefing', () => {
    expect(templates.map(({ id, tool }) => `${tool} ${id}`)).toEqual([
      'n8n booking-sync',
      'n8n inbox-triage',
      'n8n audit-report',
      'n8n daily-briefing',
    ])
  })

  it('are valid n8n workflows', () => {
    for (const { workflow } of templates) {
      const names = workflow.nodes.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(names.length)
      expect(workflow).toMatchObject({
        active: false,
        settings: { executionOrder: 'v1', timezone: 'Europe/Vienna' },
      })
      for (const node of workflow.nodes) {
        expect(VERSIONS[node.type]).toContain(node.typeVersion)
        expect(node.position).toEqual([expect.any(Number), expect.any(Number)])
        expect(node.credentials).toBeUndefined()
      }
      for (const [from, { main }] of Object.entries(workflow.connections)) {
        expect(names).toContain(from)
        for (const { node, type, index } of main.flat()) {
          expect(names).toContain(node)
          expect({ type, index }).toEqual({ type: 'main', index: 0 })
        }
      }
      // Every node except the trigger and the note has an incoming connection.
      const led = new Set(
        Object.values(workflow.connections).flatMap(({ main }) => main.flat().map(({ node }) => node)),
      )
      const loose = workflow.nodes.filter(({ name }) => !led.has(name)).map(({ type }) => type)
      expect(loose).toEqual(['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.stickyNote'])
    }
  })

  it('call existing endpoints of this instance with a credential to be selected', async () => {
    const { body: document } = await instance.get('/api-docs')
    const known = new Set(
      Object.entries(document.paths as Record<string, object>).flatMap(([path, operations]) =>
        Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`,
        ),
      ),
    )
    const calls = templates.flatMap(({ workflow }) =>
      workflow.nodes
        .filter(({ type }) => type === 'n8n-nodes-base.httpRequest')
        .map(
          ({ parameters }) =>
            parameters as { method: string; url: string; genericAuthType: string; authentication: string },
        ),
    )
    expect(calls.length).toBeGreaterThan(6)
    for (const { method, url, authentication, genericAuthType } of calls) {
      expect({ authentication, genericAuthType }).toEqual({
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
      })
      const address = url.replace(/^=/, '')
      expect(address.startsWith(`${BASE}/api/`)).toBe(true)
      // A value that n8n evaluates is marked as an expression.
      expect(url.startsWith('=')).toBe(url.includes('{{'))
      const call = `${method} ${address.slice(BASE.length).replace(/\{\{[^}]*\}\}/g, '{}')}`
      expect([...known]).toContain(call)
    }
  })

  it('can be downloaded one by one for import by URL', async () => {
    const one = await instance.get('/api/workflow/templates/daily-briefing')
    expect(one.status).toBe(200)
    expect(one.body).toEqual(templates.find(({ id }) => id === 'daily-briefing')?.workflow)
    expect((await instance.get('/api/workflow/templates/weekly')).status).toBe(404)
  })

  it('come with model-info, which matches /api/ai-model', async () => {
    const { body } = await instance.get('/api/workflow/model-info')
    expect(body).toEqual((await instance.get('/api/ai-model')).body)
    expect(body).toMatchObject({
      model: 'model_a',
      ready: false,
      engine: 'builtin',
      allowed: ['model_a', 'model_b', 'model_c', 'model_d'],
    })
  })
})
