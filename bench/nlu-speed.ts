import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as chronoParse } from 'chrono-node'
import { readTimes } from '../src/nlu/dates/read.ts'
import { analyzeMail } from '../src/nlu/mail/analysis.ts'
import { detectMeetings } from '../src/nlu/meetings/detect.ts'
import { readQuickTask } from '../src/nlu/quick-task.ts'
import { median } from './processes.ts'
import type { Report } from './table.ts'

const DATE = Date.UTC(2026, 1, 2, 10)
const ZONE = 'Europe/Berlin'
const ROUNDS = 15
const EACH = 8
const WARM_UP = 80

/** A realistic email of 5,000 characters with a dozen times, some requests, a signature and a quote. */
const MAIL = `Hi Ana,

thank you for your message of last week, and sorry for the late answer. I was in Lisbon for the trade fair and hardly found a quiet minute to read anything that was longer than a line. The fair itself went well. We talked to some forty people, most of them from Spain and Portugal, and at least six of them want to hear more. I have written down what each of them is looking for and will send you the list as soon as it is typed.

Now to the figures for the third quarter. I have looked at them together with Walter, and there are a few things that we should talk about before the board meets on 12 March. First of all the costs of the new warehouse are higher than we planned, mostly because the heating had to be replaced. Nobody could have known that, but it should be explained in the report, otherwise the question will come up in the meeting and nobody has an answer. Could you please ask the landlord for a copy of the offer and send it to me by Friday? It is rather urgent, because Walter leaves for his holidays on the weekend.

Second, the invoice RE-2026-17 over 1,200.00 EUR is still open. Initech GmbH has asked twice when we will pay, and I did not know what to tell them. Do you know whether the goods ever arrived? If they did, please release the payment. If they did not, somebody has to call them; their number is +49 30 1234567, and the woman to ask for is called Mrs. Lindqvist. She was very patient with us so far, and I would like it to stay that way.

Third, and this is the pleasant part, the numbers of the online shop are better than ever. We sold more in the last two months than in the whole of the year before, and the share of what is sent back has gone down. I think that the new pictures have a lot to do with it. Please tell Maria that she did a wonderful job, and that we would like to have the other two hundred done in the same way. It would be good to have them before Easter.

Can we meet on Thursday at 2pm in Room 5 to go through all of this? I would need about an hour. If that does not suit you, Tuesday next week between 9 and 11 would be fine as well. Those who are not in the office can join at https://meet.google.com/abc-defg-hij. I will ask Walter whether he wants to come along, although he probably has enough to do.

There is one more thing. The contract with the printers ends in April, and we have to decide whether we want to go on with them. They are not cheap, but they have never let us down, and I would not like to look for somebody new just when the catalogue has to be ready. On the other hand there is this offer from the company in Graz that you have mentioned. Did they answer your last mail? What do they charge for ten thousand copies? Perhaps we could let them print the small flyers first and see how it goes. Think about it, there is no hurry.

About the trainees: both of them start on 1 September, and we have promised that each gets a desk, a computer and somebody who takes care of them during the first weeks. Henrik has offered to do so for one of them. For the other one I have thought of you, but only if you like the idea and if it fits into your plans for the autumn. You would have to spend about two hours a week with her, more at the beginning and less later. She seems bright and curious; her school has sent us her last marks, and they are excellent. Let me know what you think.

As for the office in Porto, nothing is decided yet. The rooms that we have seen are large enough, and the rent of 2,450 EUR a month is what others pay there as well. But the lease would run for five years, which is long, and the owner does not want to change that. I have asked our lawyer to look at the draft and to tell us what we can do. She will call me tomorrow afternoon, and then I will write to you again. Until then please do not talk about it with anybody outside of our group, not even with the people from Braga, although they will surely ask.

My flight on Monday leaves at 6:45 in the morning, so I will be hard to reach until the evening. If there is anything that cannot wait, write to Sofia, she knows about everything and has the keys to the office as well.

Say hello to everybody, and have a good weekend!

Best regards,
Ben Okafor
Head of Sales
Example Trading Ltd.
Phone +49 30 7654321

On Mon, Jan 26, 2026 at 9:12 AM Ana Ruiz <ana@example.org> wrote:
> Hi Ben,
>
> I hope that the fair is a success. Could you have a look at the figures for the
> third quarter when you are back? The board would like to see them soon, and
> I am not sure that the costs of the warehouse are right.
>
> Are you coming to the dinner on 5 February? Please tell me by tomorrow.
>
> Ana
`

/** Measures the CPU time of one call in microseconds, which is independent of other load on the machine. */
const measureCpu = (work: () => unknown): number => {
  const before = process.cpuUsage()
  for (let n = 0; n < EACH; n++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / EACH
}

const measure = (...works: (() => unknown)[]): number[] => {
  for (const work of works) for (let n = 0; n < WARM_UP; n++) work()
  const rounds = Array.from({ length: ROUNDS }, () => works.map(measureCpu))
  return works.map((_, index) => median(rounds.map((round) => round[index] as number)))
}

const ms = (micros = 0): string => (micros / 1000).toFixed(2)

/** Loads a module in a separate process with a warm compile cache, as in a running service. */
const load = (module: string, cache: string, then: string): { ms: number; mb: number } => {
  const script = `const before = process.memoryUsage().rss, cpu = process.cpuUsage()
    const made = await import(${JSON.stringify(module)})
    ${then}
    const { user, system } = process.cpuUsage(cpu)
    globalThis.gc()
    console.log(JSON.stringify({ ms: (user + system) / 1000, mb: (process.memoryUsage().rss - before) / 1e6 }))`
  const answer = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
  })
  return JSON.parse(answer) as { ms: number; mb: number }
}

const benchLoading = (work: string, module: string, report: Report, then = ''): void => {
  const cache = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const loads = Array.from({ length: 8 }, () => load(module, cache, then)).slice(1)
  rmSync(cache, { recursive: true, force: true })
  const memory = `${median(loads.map((one) => one.mb)).toFixed(1)} MB`
  const values = loads.map((one) => one.ms)
  report({
    group: 'other',
    work,
    ours: `${median(values).toFixed(0)} ms, ${memory}`,
    checks: [{ values, unit: ' ms' }],
  })
}

/** Measures the built-in language engine and compares it with chrono. */
export const benchEngine = async (report: Report): Promise<void> => {
  const mail = { text: MAIL.slice(0, 5000), subject: 'The third quarter', from: 'ben@example.org' }
  const at = new Date(DATE)
  const [whole = 0, meetings = 0, times = 0, chrono = 0] = measure(
    () => analyzeMail(mail, { date: DATE, timezone: ZONE }),
    () => detectMeetings(mail.text, { now: DATE, timezone: ZONE }),
    () => readTimes(mail.text, { now: DATE }),
    () => chronoParse(mail.text, at),
  )
  const reportTime = (work: string, micros: number, reference?: number): void =>
    report({
      group: 'other',
      work: `language: ${work}`,
      ours: `${ms(micros)} ms`,
      ...(reference !== undefined && {
        limit: `${ms(reference)} ms of chrono`,
        ratioByCpu: micros / reference,
      }),
      checks: [],
    })
  reportTime(`analysis of ${mail.text.length} characters`, whole)
  reportTime('meetings only', meetings)
  reportTime('times only', times, chrono)
  const line = 'pay rent every month on the 1st at 9am !high #home'
  const [quick = 0, chronoLine = 0] = measure(
    () => readQuickTask(line, { now: DATE }),
    () => chronoParse(line, at),
  )
  reportTime('quick task', quick, chronoLine)
  const module = new URL('../src/nlu/mail/analysis.ts', import.meta.url).href
  benchLoading('language: loading', module, report)
  benchLoading(
    'language: loading with intents and models',
    new URL('../src/nlu/intents/classifier.ts', import.meta.url).href,
    report,
    `await import(${JSON.stringify(module)})
    await import(${JSON.stringify(new URL('../src/nlu/intents/read.ts', import.meta.url).href)})
    for (const model of Object.values(made.MODELS)) model()`,
  )
  benchLoading('language: loading chrono', import.meta.resolve('chrono-node'), report)
}
