import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expandRule } from '../src/engine/recurrence/expansion.ts'
import { readRule } from '../src/engine/recurrence/read-rule.ts'

/** Rules with all their instances, from the tests of libical and dateutil; floating local time. */
const VECTORS = '../shared/data/rrule-vectors/vectors.public.jsonl'

interface Vector {
  id: string
  dtstart: string
  rrule: string
  instances: string[]
  class: 'core' | 'extended' | 'contested'
}

const wallOf = (text: string): number => {
  const [, year, month, day, time = '000000'] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6}))?Z?$/.exec(text) ?? []
  const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4)]
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const isRight = ({ dtstart, rrule, instances }: Vector): boolean => {
  const read = readRule(rrule)
  if ('fault' in read) return false
  const found = expandRule(read.rule, wallOf(dtstart)).take(instances.length + 1)
  return found.toArray().join() === instances.map(wallOf).join()
}

const missing = !existsSync(VECTORS)
if (missing) console.log(`The vectors are not here (${VECTORS}): their tests are skipped.`)

describe.skipIf(missing)('the recurrence vectors', () => {
  const vectors = missing
    ? []
    : readFileSync(VECTORS, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Vector)
  const of = (...classes: string[]) => vectors.filter((vector) => classes.includes(vector.class))

  it('are many', () => {
    expect(vectors.length).toBeGreaterThan(150)
  })

  it('what calendar programs write is expanded as expected, and so is the rest that is not contested', () => {
    for (const name of ['core', 'extended', 'contested'])
      console.log(`${name}: ${of(name).filter(isRight).length} of ${of(name).length}`)
    const wrong = of('core', 'extended').filter((vector) => !isRight(vector))
    expect(wrong.map(({ id, rrule }) => `${id} ${rrule}`)).toEqual([])
  })
})
