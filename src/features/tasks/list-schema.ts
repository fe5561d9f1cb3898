import Type from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters, strict } from '../../platform/http/shapes.ts'

const Id = (example: number) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [example] })
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Household'] })
const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#10b981'] })
const ColorInput = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  examples: ['#10b981'],
  description: 'Default for a new list: the next color of a palette',
})
const Visible = Type.Boolean({ examples: [true], description: 'Whether the console displays the list' })

/** The collection of tasks has the name `TaskList`. */
export const TaskListInfo = Type.Object(
  {
    id: Id(3),
    name: Name,
    color: Color,
    isInbox: Type.Boolean({
      examples: [false],
      description: 'New tasks without a list go to the Inbox. Each account has exactly one',
    }),
    visible: Visible,
    role: Type.Enum(['owner', 'editor', 'viewer'], {
      type: 'string',
      examples: ['owner'],
      description: 'Access of the caller to the list',
    }),
    owner: Nullable(
      Type.Object(
        {
          name: Type.String({ examples: ['Ana Ruiz'] }),
          email: Type.String({ examples: ['ana@example.org'] }),
        },
        {
          title: 'TaskListOwner',
          description: 'The owner of a list of another account; null for an own list',
        },
      ),
    ),
    shareId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [5],
        description: 'Id for `POST /api/shares/{id}/decline`, which leaves a list of another account',
      }),
    ),
    shared: Type.Boolean({
      examples: [false],
      description: 'Whether the caller shares this own list with others',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'TaskListInfo' },
)
export type TaskListInfo = Type.Static<typeof TaskListInfo>

export const TaskListCollection = Type.Object(
  { taskLists: Type.Array(TaskListInfo), nextCursor: NextCursor },
  { title: 'TaskListCollection' },
)
export type TaskListCollection = Type.Static<typeof TaskListCollection>

export const NewTaskList = Type.Object(
  { name: Name, color: Type.Optional(ColorInput), visible: Type.Optional(Visible) },
  { ...strict, title: 'NewTaskList', examples: [{ name: 'Household' }] },
)
export type NewTaskList = Type.Static<typeof NewTaskList>

export const TaskListChange = Type.Object(
  { name: Type.Optional(Name), color: Type.Optional(ColorInput), visible: Type.Optional(Visible) },
  { ...strict, title: 'TaskListChange', examples: [{ color: '#10b981' }] },
)
export type TaskListChange = Type.Static<typeof TaskListChange>

export const TaskListPath = Type.Object({ id: Id(3) }, strict)

/** All lists of an account fit on one page, unless others share very many with it. */
export const TaskListPage = Type.Object(
  {
    ...pageParameters,
    limit: { ...pageParameters.limit, default: 200, description: 'Maximum number of lists' },
  },
  strict,
)

export const TaskListDeletion = Type.Object(
  {
    tasks: Type.Optional(
      Type.Enum(['move', 'delete'], {
        type: 'string',
        examples: ['move'],
        description: '`move` (default): the tasks go to the Inbox; `delete`: they are deleted',
      }),
    ),
  },
  strict,
)

export const Section = Type.Object(
  {
    id: Id(5),
    listId: Id(3),
    name: Name,
    position: Type.String({
      examples: ['a1V'],
      description: 'The order in the list. Positions are compared byte by byte',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'TaskSection' },
)
export type Section = Type.Static<typeof Section>

export const SectionCollection = Type.Object(
  { sections: Type.Array(Section), nextCursor: NextCursor },
  { title: 'TaskSectionCollection' },
)
export type SectionCollection = Type.Static<typeof SectionCollection>

const AfterId = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4],
      description: 'The section in front of it; null for the first place',
    }),
  ),
)

export const NewSection = Type.Object(
  { name: Name, afterId: AfterId },
  { ...strict, title: 'NewTaskSection', examples: [{ name: 'This week' }] },
)
export type NewSection = Type.Static<typeof NewSection>

export const SectionChange = Type.Object(
  { name: Type.Optional(Name), afterId: AfterId },
  { ...strict, title: 'TaskSectionChange', examples: [{ name: 'Next week' }] },
)
export type SectionChange = Type.Static<typeof SectionChange>

export const SectionPath = Type.Object({ id: Id(3), sectionId: Id(5) }, strict)

export const ListMembers = Type.Object(
  {
    members: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ minimum: 1, examples: [2], description: 'The `assigneeId` of tasks' }),
          name: Type.String({ examples: ['Ben Okafor'] }),
          role: Type.Enum(['owner', 'editor', 'viewer'], { type: 'string', examples: ['editor'] }),
          isCaller: Type.Boolean({ examples: [false] }),
        },
        { title: 'TaskListMember' },
      ),
    ),
  },
  { title: 'TaskListMembers' },
)
export type ListMembers = Type.Static<typeof ListMembers>
