import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startInstance } from './support/instance.ts'
import { findPort, nginxPath, toNginxConfig } from './support/nginx.ts'
import { makeCertificate } from './support/scripts.ts'

const scratch = mkdtempSync(join(tmpdir(), 'factotum-packaging-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0
const run = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
const readText = (path: string): string => readFileSync(path, 'utf8')

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string; description: string }
}
const { groups } = parse(readText('packaging/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

interface Panel {
  title: string
  targets: { expr: string }[]
  gridPos: { x: number; y: number; w: number; h: number }
}
const { panels } = JSON.parse(readText('packaging/grafana/dashboard.json')) as { panels: Panel[] }

/** Lists the metrics of an expression. Names without a prefix of an exporter are functions and labels. */
const metricsIn = (expression: string): string[] =>
  expression.match(/\b(?:factotum|nodejs|process)_\w+/g) ?? []

describe('the Grafana dashboard and the alert rules', () => {
  it('use metrics that exist, with their labels', async () => {
    const instance = await startInstance({ environment: { METRICS: 'on' } })
    const { body } = (await instance.get('/metrics')) as { body: string }
    await instance.close()
    const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const known = new Set(
      types.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ]
    const used = new Set(expressions.flatMap(metricsIn))
    expect([...used].filter((name) => !known.has(name))).toEqual([])
    // A figure that nobody looks at is missing in the dashboard.
    const own = [...known].filter((name) => name.startsWith('factotum_') && !name.endsWith('_sum'))
    expect(own.filter((name) => !used.has(name))).toEqual([])
    for (const line of [
      'factotum_jobs{state="parked"} 0',
      'factotum_mail_accounts{status="failing"} 0',
      'factotum_calendar_accounts{status="signed_out"} 0',
      'factotum_outbox_emails{state="uncertain"} 0',
      'factotum_build_info{version="0.0.0-test",database="sqlite"} 1',
      'factotum_blobs_bytes 0',
    ])
      expect(body).toContain(`${line}\n`)
    expect(body).not.toMatch(/^factotum_metrics_errors_total\{/m)
  })

  it('say what to do, and place each panel once', () => {
    for (const { alert, annotations } of rules) {
      expect(alert).toMatch(/^Factotum[A-Z]/)
      expect(annotations.description.length).toBeGreaterThan(10)
    }
    const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`)
    expect(new Set(places).size).toBe(panels.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })

  it.runIf(hasProgram('promtool'))('are valid for promtool', () => {
    const checked = run('promtool', ['check', 'rules', 'packaging/prometheus/alerts.yaml'])
    expect(checked.output).toContain(`${rules.length} rules found`)
    expect(checked.status).toBe(0)
  })
})

describe('the metrics of an instance with PostgreSQL', () => {
  it.runIf(process.env.TEST_POSTGRES_URL)('can all be read', async () => {
    const instance = await startInstance({
      engine: 'postgres',
      environment: { METRICS: 'on', DATABASE_POOL_SIZE: '7' },
    })
    await instance.app.jobs.enqueue(instance.database.db, 'billing.watch', {})
    const { body } = (await instance.get('/metrics')) as { body: string }
    await instance.close()
    expect(body).not.toMatch(/^factotum_metrics_errors_total\{/m)
    expect(body).toContain('factotum_database_connections_limit 7\n')
    expect(body).toMatch(/^factotum_database_connections\{state="busy"\} \d+$/m)
    expect(body).toContain('factotum_jobs{state="waiting"} 1\n')
  })
})

describe('the proxy files', () => {
  it.skipIf(!nginxPath)('are valid for nginx, also below a path', async () => {
    mkdirSync(join(scratch, 'nginx'))
    const certificate = makeCertificate(scratch, 'desk.example.org')
    const [secure, plain] = [await findPort(), await findPort()]
    const page = readText('docs/install-nginx.md')
    const [below = ''] = page.match(/location \/factotum\/ \{[^}]*\}/) ?? []
    expect(below).not.toBe('')
    const servers = readText('packaging/proxies/nginx.conf')
      .replace('  location / {', `  ${below}\n  location / {`)
      .replaceAll(/^ {2}listen \[::\].*\n/gm, '')
      .replace('listen 443', `listen 127.0.0.1:${secure}`)
      .replace('listen 80', `listen 127.0.0.1:${plain}`)
      .replaceAll(
        '/etc/nginx/snippets/factotum.conf',
        join(process.cwd(), 'packaging/proxies/nginx-snippet.conf'),
      )
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate.certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate.key};`)
    const config = join(scratch, 'nginx.conf')
    writeFileSync(config, toNginxConfig(join(scratch, 'nginx'), servers))
    const tested = run(nginxPath as string, ['-t', '-c', config, '-p', scratch, '-e', 'stderr'])
    expect(tested.output).toContain('test is successful')
  })

  it('let nginx pass large files on without a copy, and live events without a delay', () => {
    const site = readText('packaging/proxies/nginx.conf')
    const [, large = ''] = /location ~ (\S+) \{[^}]*client_max_body_size 4g;/.exec(site) ?? []
    for (const path of ['/api/imports', '/api/settings/import']) expect(path).toMatch(new RegExp(large))
    expect('/api/imports/7/start').not.toMatch(new RegExp(large))
    expect(readText('packaging/proxies/nginx-snippet.conf')).toContain('proxy_buffering off;')
  })

  it('let Traefik reach a service that it checks and does not buffer', () => {
    const { http } = parse(readText('packaging/proxies/traefik.yaml'))
    const { rule, service } = http.routers.factotum
    expect(rule).toBe('Host(`desk.example.org`)')
    expect(http.services[service].loadBalancer).toMatchObject({
      servers: [{ url: 'http://127.0.0.1:3000' }],
      healthCheck: { path: '/api/health' },
      responseForwarding: { flushInterval: '-1ms' },
    })
  })

  it.runIf(hasProgram('caddy')).each(['packaging/proxies/Caddyfile', 'packaging/compose/Caddyfile'])(
    'are valid for Caddy: %s',
    (path) => {
      const { status, output } = spawnSync(
        'caddy',
        ['validate', '--adapter', 'caddyfile', '--config', path],
        {
          encoding: 'utf8',
          env: { ...process.env, SITE: 'desk.example.org', HOME: scratch, XDG_DATA_HOME: scratch },
        },
      )
      expect([status, output]).toEqual([0, output])
    },
  )
})

describe('the systemd unit', () => {
  const unit = readText('packaging/systemd/factotum.service')
  const page = readText('docs/install-systemd.md')
  const readSetting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  it.runIf(hasProgram('systemd-analyze'))('has an exposure of at most 2.0', () => {
    const analyzed = run('systemd-analyze', [
      'security',
      '--offline=yes',
      '--threshold=20',
      'packaging/systemd/factotum.service',
    ])
    expect(analyzed.output).toMatch(/Overall exposure level .*: [01]\.\d|Overall exposure level .*: 2\.0/)
    expect(analyzed.status).toBe(0)
  })

  it('uses the user, the directory and the settings that the page names', () => {
    const state = `/var/lib/${readSetting('StateDirectory')}`
    expect(readSetting('WorkingDirectory')).toBe(state)
    expect(page).toContain(`useradd --system --home-dir ${state} `)
    expect(page).toMatch(new RegExp(`useradd .* ${readSetting('User')}\n`))
    expect(page).toContain(`${state}/.env`)
    expect(page).toContain(`runuser -u ${readSetting('User')} -- factotum doctor`)
    // Backups may be written only where both the commands and the server can write.
    for (const [, path = ''] of page.matchAll(/factotum backup (\S+)/g)) expect(path).toMatch(`${state}/`)
    expect(unit).not.toMatch(/^Environment=(?!NODE_COMPILE_CACHE)/m)
  })
})
