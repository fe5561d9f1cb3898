/*
 * Imports a generated mbox file, and measures requests of another account beside it and alone.
 *
 *   node bench/import.ts [MAILS]
 */
import { setTimeout as wait } from 'node:timers/promises'
import { startInstance } from '../test/support/instance.ts'
import { register } from '../test/support/people.ts'

const MAILS = Number(process.argv[2] ?? 100_000)
const ALONE_MS = 15_000
const REQUESTS_PER_SECOND = 20
const WORDS = 'alpha beta gamma delta meeting invoice lunch train hotel project budget answer question'.split(
  ' ',
)

async function* generate(): AsyncGenerator<Buffer> {
  for (let n = 0; n < MAILS; n++) {
    const word = (step: number): string => WORDS[(n * 7 + step * 3) % WORDS.length] as string
    const body = Array.from(
      { length: 60 },
      (_, line) => `${word(line)} ${word(line + 1)} ${n} ${word(line + 2)}`,
    )
    yield Buffer.from(
      [
        'From ana@example.org Mon Mar  2 09:00:00 2020',
        `Message-ID: <bench-${n}@example.org>`,
        ...(n % 5 > 0 ? [`In-Reply-To: <bench-${n - (n % 5)}@example.org>`] : []),
        `From: Person ${n % 500} <person-${n % 500}@example.org>`,
        'To: ana@example.org',
        `Date: ${new Date(Date.UTC(2010, 0, 1) + n * 3_600_000).toUTCString()}`,
        `Subject: ${word(1)} ${word(2)} ${n}`,
        '',
        ...body,
        '',
        '',
      ].join('\n'),
    )
  }
}

const instance = await startInstance()
try {
  const [importer, other] = [await register(instance), await register(instance)]
  for (let n = 0; n < 50; n++) await instance.post('/api/tasks', { title: `Task ${n}` }, other)

  const requests = {
    'GET /api/health': () => instance.get('/api/health'),
    'another account, GET /api/tasks': () => instance.get('/api/tasks?limit=50', other),
    'another account, POST /api/tasks': () => instance.post('/api/tasks', { title: 'Meanwhile' }, other),
  }
  type Durations = Record<keyof typeof requests, number[]>

  /** Sends requests at a steady rate until `isOver`, and returns their durations. */
  const measure = async (isOver: () => boolean): Promise<Durations> => {
    const durations = Object.fromEntries(
      Object.keys(requests).map((name) => [name, [] as number[]]),
    ) as Durations
    const pending: Promise<void>[] = []
    while (!isOver()) {
      for (const [name, send] of Object.entries(requests)) {
        const began = performance.now()
        pending.push(
          send().then(() => void durations[name as keyof Durations].push(performance.now() - began)),
        )
        await wait(1000 / REQUESTS_PER_SECOND)
      }
    }
    await Promise.all(pending)
    return durations
  }
  const percentile = (durations: number[], share: number): string =>
    (durations.toSorted((a, b) => a - b)[Math.floor(durations.length * share)] ?? Number.NaN).toFixed(1)
  const print = (when: string, durations: Durations): void => {
    for (const [name, values] of Object.entries(durations))
      console.log(
        `${when}: ${name}: p50 ${percentile(values, 0.5)} ms, p99 ${percentile(values, 0.99)} ms, longest ${percentile(values, 0.99999)} ms of ${values.length}`,
      )
  }

  const end = performance.now() + ALONE_MS
  const alone = await measure(() => performance.now() > end)

  const imports = instance.app.features.fileImports
  const { id } = await imports.upload(importer.id, { filename: 'All mail.mbox' }, generate())
  const context = { signal: new AbortController().signal, isLastAttempt: true }
  const began = performance.now()
  let isOver = false
  const work = (async () => {
    await imports.work(importer.id, id, context)
    const analysed = performance.now()
    await imports.start(importer.id, id, {}, undefined)
    await imports.work(importer.id, id, context)
    isOver = true
    return { analysis: analysed - began, run: performance.now() - analysed }
  })()
  const beside = await measure(() => isOver)
  const { analysis, run } = await work
  const { counts } = await imports.get(importer.id, id)
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  console.log(`mails: ${counts.emails.created} imported, ${counts.emails.skipped} skipped`)
  console.log(
    `dry run: ${seconds(analysis)}; import: ${seconds(run)}; ${Math.round(MAILS / (run / 1000))} mails per second`,
  )
  print('alone', alone)
  print('beside', beside)
  console.log(`memory: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB`)
} finally {
  await instance.close()
}
