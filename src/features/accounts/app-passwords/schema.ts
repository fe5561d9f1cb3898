import Type from 'typebox'
import { DAV_ACCESS, INVITATION_RULES } from '../../../platform/access/caller.ts'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../../platform/http/shapes.ts'
import { Password } from '../../auth/schema.ts'

const strict = { additionalProperties: false }

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Pixel 9'] })
const Level = Type.Enum([...DAV_ACCESS], { type: 'string', examples: ['write'] })
const Access = Type.Object(
  { calendars: Level, tasks: Level, contacts: Level },
  { ...strict, title: 'AppAccess', description: 'The access of the app. `write` includes `read`' },
)
const INVITATIONS_NOTE =
  '`ask`: invitations, updates and cancellations for the guests of an event wait for your confirmation. `yes`: they are sent at once. `no`: none are sent, and the app may send its own'
const Invitations = Type.Enum([...INVITATION_RULES], {
  type: 'string',
  examples: ['ask'],
  description: INVITATIONS_NOTE,
})

export const NewAppPassword = Type.Object(
  {
    password: Password,
    name: Name,
    access: Access,
    invitations: Type.Optional(
      Type.Enum([...INVITATION_RULES], {
        type: 'string',
        examples: ['ask'],
        description: `${INVITATIONS_NOTE}. Default: \`ask\``,
      }),
    ),
  },
  { ...strict, title: 'NewAppPassword' },
)

const fields = {
  id: OpaqueId,
  name: Name,
  username: Type.String({ examples: ['ana@example.org'], description: 'The user name for the app' }),
  access: Access,
  invitations: Invitations,
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
}

export const AppPassword = Type.Object(fields, { title: 'AppPassword' })

export const AppPasswordWithSecret = Type.Object(
  {
    ...fields,
    password: Type.String({
      examples: ['kqzb-mnwa-pfce-xhtv-gsrd-iyju-bcea'],
      description: 'Only in this response. Separators and capital letters make no difference',
    }),
  },
  { title: 'AppPasswordWithSecret' },
)

export const AppPasswordList = Type.Object(
  { appPasswords: Type.Array(AppPassword), nextCursor: NextCursor },
  { title: 'AppPasswordList' },
)

export const AppPasswordChange = Type.Object(
  {
    name: Type.Optional(Name),
    invitations: Type.Optional(
      Type.Enum(['no', 'ask'], {
        type: 'string',
        examples: ['ask'],
        description:
          'Only a new app password can have `yes`, because it requires the password of the account',
      }),
    ),
  },
  { ...strict, title: 'AppPasswordChange' },
)

export const DAV_REACH = ['https', 'http', 'local'] as const

export const DavServer = Type.Object(
  {
    url: Type.String({ examples: ['https://home.example.org/dav/'], description: 'The address for apps' }),
    username: Type.String({ examples: ['ana@example.org'] }),
    reach: Type.Enum([...DAV_REACH], {
      type: 'string',
      examples: ['https'],
      description:
        '`https`: other devices can connect. `http`: they are refused until the instance has https. `local`: only this machine can connect',
    }),
  },
  { title: 'DavServer' },
)
