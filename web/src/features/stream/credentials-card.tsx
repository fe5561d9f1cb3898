import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { type StreamActions, useCredentials } from './use-stream.ts'

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

export const CredentialsCard = ({ actions }: { actions: StreamActions }) => {
  const query = useCredentials()
  const [isAdding, setIsAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const removed = useLastValue(removing)
  const keep = async (values: FormData) => {
    const serverUrl = text(values, 'serverUrl')
    await actions.saveKey(text(values, 'platform').toLowerCase(), {
      streamKey: text(values, 'streamKey'),
      ...(serverUrl !== '' && { serverUrl }),
    })
    setIsAdding(false)
  }
  const forget = async () => {
    if (removing !== null) await actions.deleteKey(removing)
    setRemoving(null)
  }
  return (
    <Card
      title="Platforms"
      about="Stream keys are kept sealed, and are never shown again."
      aside={
        <Button size="small" onClick={() => setIsAdding(true)}>
          <Plus size={16} aria-hidden="true" />
          Add a key
        </Button>
      }
    >
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty icon={KeyRound} title="No keys yet">
              <p>Keep the stream key of each platform here.</p>
            </Empty>
          ) : (
            <ul className="rows" aria-label="Platforms">
              {credentials.map(({ platform, hint, serverUrl, updatedAt }) => (
                <li key={platform}>
                  <div className="row-main">
                    <p className="row-title">
                      {platform}
                      <Tag tone="good">set</Tag>
                    </p>
                    <p className="row-notes">
                      <code>{hint}</code>
                      {serverUrl !== null && <span>{serverUrl}</span>}
                      <span>
                        set <Time at={updatedAt} />
                      </span>
                    </p>
                  </div>
                  <Button
                    kind="quiet"
                    shape="icon"
                    size="small"
                    aria-label={`Forget the key of ${platform}`}
                    onClick={() => setRemoving(platform)}
                  >
                    <Trash2 size={17} aria-hidden="true" />
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <FormDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        title="Keep a stream key"
        about="A key that is there already for the same platform is replaced."
        action="Keep key"
        onSubmit={keep}
      >
        <TextField
          name="platform"
          label="Platform"
          hint="In small letters, such as twitch or youtube."
          maxLength={40}
          autoComplete="off"
          autoCapitalize="none"
          required
        />
        <PasswordField name="streamKey" label="Stream key" autoComplete="off" />
        <TextField
          name="serverUrl"
          label="Server"
          hint="Where it is to be sent, if you like: rtmps://…"
          maxLength={500}
          autoComplete="off"
        />
      </FormDialog>
      <FormDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        alert
        danger
        title={`Forget the key of ${removed ?? ''}?`}
        about="This cannot be taken back."
        action="Forget"
        onSubmit={forget}
      />
    </Card>
  )
}
