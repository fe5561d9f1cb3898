import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import type { DirectReading } from './sqlite.ts'

interface Placeholder {
  readonly parameter: string
}

/**
 * A reading query whose SQL is made once and run with new parameters each time, for the few that every request runs.
 * `build` gets a function that stands in for a parameter's value.
 */
export const prepare = <P extends object, R>(
  build: (db: Db, parameter: <K extends keyof P & string>(name: K) => P[K]) => Compilable<R> | RawBuilder<R>,
): ((db: Db, parameters: P) => Promise<R[]>) => {
  const perEngine = new WeakMap<object, CompiledQuery<R>>()
  const placeholder = <K extends keyof P & string>(name: K): P[K] =>
    ({ parameter: name }) satisfies Placeholder as unknown as P[K]
  return async (db, parameters) => {
    const engine: object & DirectReading = db.getExecutor().adapter
    let compiled = perEngine.get(engine)
    if (!compiled) {
      compiled = build(db, placeholder).compile(db)
      perEngine.set(engine, compiled)
    }
    const values = compiled.parameters.map((value) =>
      typeof value === 'object' && value !== null && 'parameter' in value
        ? parameters[(value as Placeholder).parameter as keyof P]
        : value,
    )
    if (engine.readDirectly && !db.isTransaction) return engine.readDirectly<R>(compiled.sql, values)
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters: values })
    return rows
  }
}
