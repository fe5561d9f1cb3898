import { type ReactNode, use, useEffect } from 'react'
import { Mark } from '../../shell/brand.tsx'
import { FirstPage } from '../../shell/first-page.ts'
import './door.css'

interface DoorProps {
  title: string
  about?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** The page outside the frame: for whoever is not signed in. */
export const Door = ({ title, about, below, children }: DoorProps) => {
  const first = use(FirstPage)
  useEffect(() => {
    first.current = false
  }, [first])
  useEffect(() => {
    document.title = `${title} · Factotum`
  }, [title])
  return (
    <main className="door">
      <div className="door-brand">
        <Mark size={36} />
        <span>Factotum</span>
      </div>
      <div className="card door-card">
        <header>
          <h1>{title}</h1>
          {about !== undefined && <p className="quiet">{about}</p>}
        </header>
        {children}
      </div>
      {below !== undefined && <p className="door-below">{below}</p>}
    </main>
  )
}
