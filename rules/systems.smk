# Needs: questions in their own language. Makes: the list of all systems.


rule list_systems:
    """List the systems of the configuration, the experts, and teams whose sets lie in the materials."""
    input:
        # Who asked does not hang on translations, which change with any text.
        questions=expand("results/questions/original/{kind}.parquet", kind=KINDS),
        code=code_of("list_systems.py"),
    output:
        systems="results/systems.parquet",
    log:
        "logs/list_systems.log",
    params:
        configured=[
            {
                "system": system.id,
                "role": system.role,
                "label": system.shown,
                "team": system.team_name,
                "submission": system.submission,
                "origin": (
                    "submitted"
                    if system.engine == "materials"
                    else (
                        "recorded"
                        if system.engine == LLM and CONFIG.llm.mode == "replay"
                        else "baseline"
                    )
                ),
                "published_label": system.published_label,
            }
            for system in SYSTEMS.values()
            if system.id not in {one.id for one in SUBMITTED.values()}
        ]
        + [system.row() for system in SUBMITTED.values()],
    script:
        "../scripts/list_systems.py"
