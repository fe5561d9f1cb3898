import { KeyRound, Plus, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { FormPopover } from '../../ui/popover.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { useDates } from '../../ui/time.tsx'
import { type StreamActions, useCredentials } from './use-stream.ts'

const text = (values: FormData, name: string): string => String(values.get(name) ?? '').trim()

export const CredentialsCard = ({ actions }: { actions: StreamActions }) => {
  const query = useCredentials()
  const { near, dateTime } = useDates()
  const save = async (values: FormData) => {
    const serverUrl = text(values, 'serverUrl')
    await actions.saveKey(text(values, 'platform').toLowerCase(), {
      streamKey: text(values, 'streamKey'),
      ...(serverUrl !== '' && { serverUrl }),
    })
  }
  return (
    <Card
      title={t.streamKeys}
      about={t.streamKeysHelp}
      aside={
        <FormPopover
          align="end"
          trigger={
            <Button size="small">
              <Plus size={16} aria-hidden="true" />
              {t.addKey}
            </Button>
          }
          title={t.addStreamKey}
          about={t.addStreamKeyHelp}
          action={common.save}
          onSubmit={save}
        >
          <TextField
            name="platform"
            label={t.platform}
            hint={t.platformExample}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="none"
            required
          />
          <PasswordField name="streamKey" label={t.streamKey} autoComplete="off" />
          <TextField
            name="serverUrl"
            label={t.serverUrl}
            hint={t.serverUrlExample}
            maxLength={500}
            autoComplete="off"
          />
        </FormPopover>
      }
    >
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty icon={KeyRound} title={t.noKeys}>
              <p>{t.noKeysHelp}</p>
            </Empty>
          ) : (
            <ul className="rows" aria-label={t.streamKeys}>
              {credentials.map(({ platform, hint, serverUrl, updatedAt }) => (
                <li key={platform}>
                  <div className="row-main">
                    <p className="row-title">{platform}</p>
                    <p className="row-notes">
                      <code>{hint}</code>
                      {serverUrl !== null && <span>{serverUrl}</span>}
                      <span>
                        <RichText
                          text={t.savedAt(near(updatedAt))}
                          tags={{
                            time: (text) => (
                              <time dateTime={updatedAt} title={dateTime(updatedAt)}>
                                {text}
                              </time>
                            ),
                          }}
                        />
                      </span>
                    </p>
                  </div>
                  <FormPopover
                    align="end"
                    trigger={
                      <Button kind="quiet" shape="icon" size="small" aria-label={t.deleteKey(platform)}>
                        <Trash2 size={17} aria-hidden="true" />
                      </Button>
                    }
                    title={t.confirmDeleteKey(platform)}
                    about={t.cannotBeUndone}
                    action={common.remove}
                    danger
                    onSubmit={async () => void (await actions.deleteKey(platform))}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
