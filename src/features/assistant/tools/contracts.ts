import Type, { type Static, type TObject } from 'typebox'
import { createCalendarContracts } from './contracts/calendar.ts'
import { type ToolContract, type ToolSchemas, withoutExamples } from './contracts/contract.ts'
import { createMailContracts } from './contracts/mail.ts'
import { createOverviewContracts } from './contracts/overview.ts'
import { createPeopleContracts } from './contracts/people.ts'
import { createServiceContracts } from './contracts/services.ts'
import { createTaskContracts } from './contracts/tasks.ts'

/** Creates the contracts of all tools, by name. */
export const createToolContracts = (schemas: ToolSchemas) => {
  const contracts = {
    ...createMailContracts(schemas),
    ...createPeopleContracts(schemas),
    ...createTaskContracts(schemas),
    ...createCalendarContracts(schemas),
    ...createOverviewContracts(schemas),
    ...createServiceContracts(schemas),
  }
  type Named = { [N in keyof typeof contracts]: (typeof contracts)[N] & { name: N } }
  return Object.fromEntries(
    Object.entries(contracts).map(([name, contract]) => [name, { ...contract, name }]),
  ) as Named
}

export type ToolContracts = ReturnType<typeof createToolContracts>
export type ToolName = keyof ToolContracts
export type ToolInput<N extends ToolName> = Static<ToolContracts[N]['input']>
export type ToolResult<N extends ToolName> = Static<ReturnType<ToolContracts[N]['result']>>

/** The result of a tool that can change something: done, or waiting for a confirmation. */
const toEnvelope = (result: TObject) =>
  Type.Object({
    status: Type.Enum(['done', 'needs_confirmation'], {
      type: 'string',
      description: '`needs_confirmation`: nothing was done. The person confirms it in the console',
    }),
    result: Type.Optional(result),
    undoId: Type.Optional(Type.Integer({ description: 'Id for undo: `POST /api/actions/{undoId}/undo`' })),
    confirmation: Type.Optional(
      Type.Object({ actionId: Type.String(), summary: Type.String(), expiresAt: Type.String() }),
    ),
  })

/** Returns the schema of the structured content for MCP clients. */
export const toOutputSchema = ({ effect, result }: ToolContract): TObject =>
  withoutExamples(effect === 'read' ? result() : toEnvelope(result()))

/** MCP clients use these facts to ask their user. */
export const toAnnotations = (contract: ToolContract) => {
  const readOnlyHint = contract.effect === 'read' || contract.isReadOnly === true
  return {
    readOnlyHint,
    destructiveHint: contract.isDestructive === true,
    idempotentHint: readOnlyHint || contract.isIdempotent === true,
    openWorldHint: contract.isOpenWorld === true,
  }
}
