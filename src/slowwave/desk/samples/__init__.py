"""Made-up sessions for the demonstration: screenplays, and what renders them in the layouts of real agents."""
