import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { readCatalogue, reserveIds, type TableShape } from '../../../database/schema-info.ts'
import type { Ids, NumberIdTable, TextIdTable } from '../../../platform/portable/references.ts'
import { type Random, randomId } from '../../../platform/random.ts'

const FIRST_SIZE = 1024

/** Whole numbers in 8 bytes each. A large mailbox has millions of ids. */
class NumberList {
  private numbers = new Float64Array(FIRST_SIZE)
  private size = 0

  add(number: number): void {
    if (this.size > 0 && this.numbers[this.size - 1] === number) return
    if (this.size === this.numbers.length) this.makeSpace()
    this.numbers[this.size++] = number
  }

  /** Returns each number once, in ascending order. */
  toSorted(): Float64Array {
    this.sort()
    return this.numbers.slice(0, this.size)
  }

  private sort(): void {
    const sorted = this.numbers.subarray(0, this.size).sort()
    let size = 0
    for (const number of sorted) if (size === 0 || sorted[size - 1] !== number) sorted[size++] = number
    this.size = size
  }

  private makeSpace(): void {
    this.sort()
    if (this.size < this.numbers.length / 2) return
    const larger = new Float64Array(this.numbers.length * 2)
    larger.set(this.numbers.subarray(0, this.size))
    this.numbers = larger
  }
}

/** Collects all ids of an export: those of its rows, and those that its rows refer to. */
export class IdCollector implements Ids {
  readonly numbers = new Map<NumberIdTable, NumberList>()
  readonly texts = new Map<TextIdTable, Set<string>>()

  number(table: NumberIdTable, id: number): number {
    let list = this.numbers.get(table)
    if (!list) {
      list = new NumberList()
      this.numbers.set(table, list)
    }
    list.add(id)
    return id
  }

  text(table: TextIdTable, id: string): string {
    let set = this.texts.get(table)
    if (!set) {
      set = new Set()
      this.texts.set(table, set)
    }
    set.add(id)
    return id
  }
}

/** Replaces the ids of a table by reserved ones in the same order. */
class Renumbering {
  private readonly from: Float64Array
  private readonly to: Float64Array

  constructor(from: Float64Array, to: Float64Array) {
    this.from = from
    this.to = to
  }

  get(id: number): number {
    let [low, high] = [0, this.from.length - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = this.from[middle] as number
      if (found === id) return this.to[middle] as number
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    throw new Error(`the id ${id} is unknown`)
  }
}

const LOOKED_UP_AT_ONCE = 1000

const findTaken = async (tx: Db, table: TextIdTable, ids: readonly string[]): Promise<string[]> => {
  const taken: string[] = []
  for (let start = 0; start < ids.length; start += LOOKED_UP_AT_ONCE) {
    const some = ids.slice(start, start + LOOKED_UP_AT_ONCE)
    // Every account: ids are unique in the instance.
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where id in (${sql.join(some)}) ${ALL_ACCOUNTS}`.execute(tx)
    taken.push(...rows.map(({ id }) => id))
  }
  return taken
}

const ORDERED = /^[0-9a-z]{9}-/

/** Keeps the time at the start of an ordered id. */
const replaceTextId = (id: string, random: Random): string => (ORDERED.exec(id)?.[0] ?? '') + randomId(random)

/**
 * Gives every number id of an export a new id, in the same order, and every text id that is taken a new one. An id that an
 * export refers to without having its row gets a new id too, which no row will ever have. So no reference can lead to a
 * row of another account.
 */
export const assignNewIds = async (tx: Db, collected: IdCollector, random: Random): Promise<Ids> => {
  const catalogue = await readCatalogue(tx)
  const numbers = new Map<NumberIdTable, Renumbering>()
  for (const [table, list] of collected.numbers) {
    const from = list.toSorted()
    const shape = catalogue.get(table) as TableShape
    numbers.set(table, new Renumbering(from, await reserveIds(tx, table, shape, from.length)))
  }
  const texts = new Map<TextIdTable, Map<string, string>>()
  for (const [table, ids] of collected.texts) {
    const taken = await findTaken(tx, table, [...ids])
    texts.set(table, new Map(taken.map((id) => [id, replaceTextId(id, random)])))
  }
  return {
    number(table, id) {
      const renumbering = numbers.get(table)
      if (!renumbering) throw new Error(`the id ${id} is unknown`)
      return renumbering.get(id)
    },
    text: (table, id) => texts.get(table)?.get(id) ?? id,
  }
}
