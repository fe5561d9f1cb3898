import { Download, TriangleAlert } from 'lucide-react'
import * as t from '#locale/apps'
import { toServerPath } from '../../../api/base-path.ts'
import type { Shape } from '../../../api/client.ts'
import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Secret } from '../../../ui/secret.tsx'
import './apps.css'

type DavServer = Shape<'DavServer'>

const toGuide = (anchor: string) => (text: string) => (
  <a href={toServerPath(`/help/dav${anchor}`)} target="_blank" rel="noreferrer">
    {text}
  </a>
)

/** Says first what prevents other devices from connecting. */
export const ReachNotice = ({ reach }: Pick<DavServer, 'reach'>) =>
  reach !== 'https' && (
    <Notice tone="warn" icon={TriangleAlert}>
      <p>
        <RichText text={t.reachNotes[reach]} tags={{ link: toGuide('#https') }} />
      </p>
    </Notice>
  )

interface ValuesProps {
  server: Pick<DavServer, 'url' | 'username'>
  /** Undefined: the password was shown before. */
  password?: string
  onCopied?: () => void
}

/** The three values that every app asks for. */
export const Values = ({ server, password, onCopied }: ValuesProps) => (
  <dl className="app-values">
    <dt>{t.server}</dt>
    <dd>
      <Secret text={server.url} />
    </dd>
    <dt>{t.username}</dt>
    <dd>
      <Secret text={server.username} />
    </dd>
    <dt>{t.password}</dt>
    <dd>
      {password === undefined ? (
        t.passwordFromAbove
      ) : (
        <Secret text={password} {...(onCopied && { onCopied })} />
      )}
    </dd>
  </dl>
)

/** iOS opens a profile only if the server sends it, so it is a link. */
const ProfileLink = ({ username }: Pick<DavServer, 'username'>) => (
  <a
    className="button"
    href={toServerPath(`/dav/factotum.mobileconfig?username=${encodeURIComponent(username)}`)}
    download
  >
    <Download size={17} aria-hidden="true" />
    {t.downloadProfile}
  </a>
)

export const SetupCard = ({ server }: { server: DavServer }) => (
  <Card
    id="app-setup"
    title={t.connect}
    about={<RichText text={t.connectAbout} tags={{ link: toGuide('') }} />}
  >
    <Values server={server} />
    {Object.entries(t.appSteps).map(([app, { title, steps }]) => (
      <details key={app} className="app-steps">
        <summary>{title}</summary>
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {app === 'apple' && server.reach === 'https' && <ProfileLink username={server.username} />}
      </details>
    ))}
  </Card>
)
